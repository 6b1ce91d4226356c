//go:build unix

package stdio_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/mcp/wire"
)

// fakeVar selects what the test binary is when it runs as a server.
const fakeVar = "KONTOR_FAKE_SERVER"

func TestMain(m *testing.M) {
	if name := os.Getenv(fakeVar); name != "" {
		fakes[name](os.Args[1:])
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var fakes = map[string]func(args []string){
	// echo answers each request with its params.
	"echo": func([]string) { answer(func(m wire.Message) { say(wire.NewResult(m.ID, m.Params)) }) },
	// world answers with what it sees of the world.
	"world": func(args []string) {
		answer(func(m wire.Message) { say(wire.NewResult(m.ID, world(args))) })
	},
	// script prints its arguments as they are, each in one write, 5 ms apart,
	// and waits for the end of its input.
	"script": func(parts []string) {
		for _, part := range parts {
			_, _ = os.Stdout.WriteString(part)
			time.Sleep(5 * time.Millisecond)
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
	},
	// cut prints its argument and exits.
	"cut": func(args []string) { fmt.Print(args[0]) },
	// big answers with a result of as many bytes as the params say.
	"big": func([]string) {
		answer(func(m wire.Message) {
			size, _ := strconv.Atoi(string(wire.Member(m.Params, "size")))
			filling := `"` + strings.Repeat("x", size) + `"`
			form, _ := strconv.Unquote(string(wire.Member(m.Params, "form")))
			fmt.Printf(form+"\n", filling)
		})
	},
	// hang neither reads nor writes, and heeds no SIGTERM.
	"hang": func([]string) {
		signal.Ignore(syscall.SIGTERM)
		fmt.Fprintln(os.Stderr, "hanging")
		select {}
	},
	// late is echo, once the file that its argument names is there.
	"late": func(args []string) {
		for _, err := os.Stat(args[0]); err != nil; _, err = os.Stat(args[0]) {
			time.Sleep(time.Millisecond)
		}
		answer(func(m wire.Message) { say(wire.NewResult(m.ID, m.Params)) })
	},
	// silent reads and never answers.
	"silent": func([]string) { _, _ = io.Copy(io.Discard, os.Stdin) },
	// deaf and mute close one end and live on.
	"deaf": func([]string) { _ = os.Stdin.Close(); fmt.Fprintln(os.Stderr, "deaf"); forever() },
	"mute": func([]string) { _ = os.Stdout.Close(); forever() },
	// fail complains and exits.
	"fail": func([]string) {
		fmt.Fprint(os.Stderr, "config.yaml: no such file\r\n\ntoken=abc123")
		os.Exit(3)
	},
	// flood writes 5 MB to stderr before each answer, some of it in long lines.
	"flood": func([]string) {
		answer(func(m wire.Message) {
			_, _ = os.Stderr.WriteString(strings.Repeat("y", 1<<20) + "\n")
			for range 4 << 10 {
				_, _ = os.Stderr.WriteString(strings.Repeat("x", 1<<10-1) + "\n")
			}
			say(wire.NewResult(m.ID, nil))
		})
	},
	// family starts a child that outlives the end of its input and says its pid;
	// the parent then does what its argument says.
	"family": func(args []string) {
		child := fakeCommand("stubborn")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		switch args[0] {
		case "setsid":
			child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		case "daemon":
			child.Stdin, child.Stdout, child.Stderr = nil, nil, nil
		}
		if err := child.Start(); err != nil {
			panic(err)
		}
		say(wire.NewNotification("child", json.RawMessage(strconv.Itoa(child.Process.Pid))))
		switch args[0] {
		case "wait":
			_ = child.Wait()
		case "setsid", "daemon":
			_, _ = io.Copy(io.Discard, os.Stdin)
		case "leave":
		}
	},
	"stubborn": func([]string) { forever() },
}

func forever() { time.Sleep(time.Hour) }

func fakeCommand(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = []string{fakeVar + "=" + name}
	return cmd
}

// answer calls reply with each request until the input ends.
func answer(reply func(wire.Message)) {
	in := bufio.NewReader(os.Stdin)
	for {
		data, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		m, err := wire.Parse(data)
		if err != nil {
			panic(fmt.Sprintf("%v: %.100q", err, data))
		}
		if m.Kind() == wire.Request {
			reply(m)
		}
	}
}

func say(m wire.Message) { _, _ = os.Stdout.Write(append(bytes.Clone(m.Raw), '\n')) }

func world(args []string) json.RawMessage {
	dir, _ := os.Getwd()
	group, _ := syscall.Getpgid(0)
	var nonblocking []int
	for fd := range 3 {
		if flags, _, _ := syscall.Syscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0); flags&syscall.O_NONBLOCK != 0 {
			nonblocking = append(nonblocking, fd)
		}
	}
	seen, _ := json.Marshal(map[string]any{
		"args": args, "dir": dir, "env": os.Environ(), "leader": group == os.Getpid(), "nonblocking": nonblocking,
	})
	return seen
}
