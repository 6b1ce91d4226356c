//go:build unix

package watchdog_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/watchdog"
	"kontor.dev/kontor/internal/mcp/wire"
)

// roleVar selects what the test binary is when a test executes it.
const roleVar = "KONTOR_TEST_ROLE"

func TestMain(m *testing.M) {
	if watchdog.Main(os.Args) {
		os.Exit(0)
	}
	switch os.Getenv(roleVar) {
	case "host":
		host()
	case "server":
		server()
	case "stubborn":
		stubborn()
	}
	goleak.VerifyTestMain(m)
}

const servers = 3

// host is a program that runs servers under a watchdog and never ends. It says
// what happens on its output.
func host() {
	guard, err := watchdog.Start(func(text string) { fmt.Println(text) })
	if err != nil {
		panic(err)
	}
	dial := stdio.Dialer(stdio.Options{Command: os.Args[0], Env: []string{roleVar + "=server"}, Guard: guard})
	for range servers {
		_, err := dial(context.Background(), wire.Receiver{Message: func(in wire.Incoming) {
			fmt.Println(in.Message.Method, string(in.Message.Params))
		}})
		if err != nil {
			panic(err)
		}
	}
	select {}
}

// server starts a child that, as itself, nothing but SIGKILL ends.
func server() {
	child := exec.Command(os.Args[0])
	child.Env = []string{roleVar + "=stubborn"}
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		panic(err)
	}
	for method, pid := range map[string]int{"server": os.Getpid(), "child": child.Process.Pid} {
		m := wire.NewNotification(method, json.RawMessage(strconv.Itoa(pid)))
		_, _ = os.Stdout.Write(append(bytes.Clone(m.Raw), '\n'))
	}
	stubborn()
}

func stubborn() {
	signal.Ignore(syscall.SIGTERM)
	time.Sleep(time.Hour)
}

// family is a host with everything that it started.
type family struct {
	t         *testing.T
	host      *exec.Cmd
	said      *bufio.Scanner
	watchdogs []int
	servers   []int
	children  []int
}

func startFamily(t *testing.T) *family {
	t.Helper()
	f := &family{t: t, host: exec.Command(os.Args[0])}
	f.host.Env = []string{roleVar + "=host"}
	f.host.Stderr = os.Stderr
	out, err := f.host.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	f.said = bufio.NewScanner(out)
	if err := f.host.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = f.host.Process.Kill()
		_ = f.host.Wait()
		for _, pid := range append(f.servers, f.children...) {
			if alive(pid) { // only after a failure
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	})
	f.listen(func() bool { return len(f.servers) == servers && len(f.children) == servers })
	return f
}

// listen reads what the host says until it is enough.
func (f *family) listen(enough func() bool) {
	f.t.Helper()
	for !enough() {
		if !f.said.Scan() {
			f.t.Fatal("the host has ended")
		}
		words := strings.Fields(f.said.Text())
		pid, _ := strconv.Atoi(words[len(words)-1])
		switch words[0] {
		case "server":
			f.servers = append(f.servers, pid)
		case "child":
			f.children = append(f.children, pid)
		case "the":
			if pid != 0 {
				f.watchdogs = append(f.watchdogs, pid)
			}
		}
	}
}

func (f *family) kill() {
	_ = f.host.Process.Kill()
	_ = f.host.Wait()
}

// gone fails unless the processes have ended within 5 s.
func (f *family) gone(what string, pids ...int) {
	f.t.Helper()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		var left []int
		for _, pid := range pids {
			if alive(pid) {
				left = append(left, pid)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			f.t.Fatalf("%s: %v of %v live on", what, left, pids)
		}
	}
}

func TestNothingSurvivesAKilledHost(t *testing.T) {
	t.Parallel()
	f := startFamily(t)
	f.kill()
	f.gone("servers", f.servers...)
	f.gone("their children", f.children...)
	f.gone("watchdog", f.watchdogs...)
}

func TestAKilledWatchdogIsReplacedAndKnowsEveryGroup(t *testing.T) {
	t.Parallel()
	f := startFamily(t)
	_ = syscall.Kill(f.watchdogs[0], syscall.SIGKILL)
	f.listen(func() bool { return len(f.watchdogs) == 2 })
	f.kill()
	f.gone("servers", f.servers...)
	f.gone("their children", f.children...)
	f.gone("watchdogs", f.watchdogs...)
}

func TestServersEndEvenIfTheWatchdogDiedWithTheHost(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/exe"); err != nil {
		t.Skip("parent-death signals are Linux's")
	}
	f := startFamily(t)
	_ = f.host.Process.Signal(syscall.SIGSTOP) // no replacement
	_ = syscall.Kill(f.watchdogs[0], syscall.SIGKILL)
	f.kill()
	f.gone("servers", f.servers...)
}

func TestTheWatchdogOutlivesTheSignalsOfAShutdown(t *testing.T) {
	t.Parallel()
	f := startFamily(t)
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT} {
		_ = syscall.Kill(f.watchdogs[0], s)
	}
	f.kill()
	f.gone("servers", f.servers...)
	f.gone("their children", f.children...)
}

func TestCloseEndsWhatIsStillRegisteredAndNothingElse(t *testing.T) {
	t.Parallel()
	w, err := watchdog.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	var ended [2]chan struct{}
	for i := range ended {
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{roleVar + "=stubborn"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended[i] = make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended[i]) }()
		t.Cleanup(func() { _ = cmd.Process.Kill(); <-ended[i] })
		pids = append(pids, cmd.Process.Pid)
		if err := w.Register(cmd.Process.Pid); err != nil {
			t.Fatal(err)
		}
	}
	w.Release(pids[1])
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	<-ended[0]
	if !alive(pids[1]) {
		t.Error("the released process was ended")
	}
	if err := w.Register(pids[1]); !errors.Is(err, watchdog.ErrClosed) {
		t.Errorf("want ErrClosed, got %v", err)
	}
	w.Release(pids[1])
}

func TestAWatchdogThatDoesNotReadIsReplaced(t *testing.T) {
	t.Parallel()
	said := make(chan string, 100)
	w, err := watchdog.Start(func(text string) { said <- text })
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var pid int
	if _, err := fmt.Sscanf(<-said, "the watchdog is process %d", &pid); err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	for {
		w.Release(999_999_999) // a record, and no danger to anyone
		select {
		case text := <-said:
			if !strings.Contains(text, "replaced") {
				t.Errorf("got %q", text)
			}
			return
		default:
		}
	}
}

func TestAProgramWithoutMainFailsAtStart(t *testing.T) {
	t.Setenv("MCP_WATCHDOG", "1") // as the second instance would find it
	if _, err := watchdog.Start(nil); err == nil || !strings.Contains(err.Error(), "Main") {
		t.Errorf("got %v", err)
	}
}

// alive counts a zombie out: it has ended, and whoever inherited it will reap it.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		_, noProc := os.Stat("/proc/self")
		return noProc != nil && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
	}
	_, state, _ := bytes.Cut(stat, []byte(") "))
	return len(state) > 0 && state[0] != 'Z' && state[0] != 'X'
}
