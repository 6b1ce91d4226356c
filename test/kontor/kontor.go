package kontor

import (
	"errors"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Token is the API token that a Kontor is started with.
const Token = "test-token-of-full-access"

// Options of Start.
type Options struct {
	// Data is the data folder; empty for a new one that goes with the test.
	Data string
	// Env is added to the environment, as NAME=value.
	Env []string
	// Args are added to `kontor serve`.
	Args []string
}

// Kontor is one running binary on one data folder.
type Kontor struct {
	t testing.TB
	// Data is the folder, Address host:port.
	Data, Address string
	*instance
}

// instance is the process.
type instance struct {
	cmd            *exec.Cmd
	stdout, stderr output
	// ended is closed when the process has been waited for.
	ended   chan struct{}
	waitErr error
	http    *http.Client
}

var listens = regexp.MustCompile(`Kontor listens on (\S+)\.`)

// Start runs the binary and waits until it answers. It is killed, if need be, when
// the test ends.
func Start(t testing.TB, o Options) *Kontor {
	t.Helper()
	lookAtSources(t)
	k := &Kontor{t: t, Data: o.Data, instance: &instance{ended: make(chan struct{}), http: &http.Client{Timeout: 2 * time.Minute}}}
	if k.Data == "" {
		k.Data = Folder(t)
	}
	args := append([]string{"serve", "--data", k.Data, "--listen", "127.0.0.1:0"}, o.Args...)
	k.cmd = exec.Command(Binary(), args...)
	k.cmd.Env = append(environment("KONTOR_API_TOKEN="+Token), o.Env...)
	k.cmd.Stdout, k.cmd.Stderr = &k.stdout, &k.stderr
	// What outlives Kontor may hold its stderr: that is for a test to find, not to
	// hang on.
	k.cmd.WaitDelay = 10 * time.Second
	if err := k.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { k.waitErr = k.cmd.Wait(); close(k.ended) }()
	t.Cleanup(k.end)
	k.awaitReady()
	return k
}

// For is the same Kontor for a subtest: it hears of what fails.
func (k *Kontor) For(t testing.TB) *Kontor {
	return &Kontor{t: t, Data: k.Data, Address: k.Address, instance: k.instance}
}

func (k *Kontor) awaitReady() {
	k.t.Helper()
	up := polled(Patience, func() bool {
		if !k.Running() {
			return true
		}
		if said := listens.FindStringSubmatch(k.stdout.String()); said != nil {
			k.Address = said[1]
		}
		return k.Address != "" && k.ready()
	})
	if !up || !k.Running() {
		k.t.Fatalf("Kontor isn't up; it said:\n%s%s", k.stdout.String(), k.stderr.String())
	}
}

func (k *Kontor) ready() bool {
	res, err := k.http.Get("http://" + k.Address + "/readyz")
	if err != nil {
		return false
	}
	return res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

// end stops what still runs, at the end of the test, and shows what Kontor wrote
// when the test failed.
func (k *Kontor) end() {
	if k.Running() {
		k.Stop()
	}
	k.http.CloseIdleConnections()
	if k.t.Failed() {
		k.t.Logf("stderr of Kontor (%s):\n%s", k.Address, k.stderr.String())
	}
}

// Folder makes a data folder that goes with the test. Its path is short: a socket
// lies in it.
func Folder(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kontor-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// environment is the test's own without what configures a Kontor.
func environment(add ...string) []string {
	var kept []string
	for _, entry := range os.Environ() {
		if !strings.HasPrefix(entry, "KONTOR_") {
			kept = append(kept, entry)
		}
	}
	return append(kept, add...)
}

// PID is the process.
func (k *Kontor) PID() int { return k.cmd.Process.Pid }

// Running tells whether the process has not ended.
func (k *Kontor) Running() bool {
	select {
	case <-k.ended:
		return false
	default:
		return true
	}
}

// Stop asks Kontor to end, as a person or a service manager does, and waits. An end
// with an error fails the test.
func (k *Kontor) Stop() {
	k.t.Helper()
	if err := k.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		k.t.Error(err)
	}
	select {
	case <-k.ended:
	case <-time.After(Patience):
		k.t.Errorf("Kontor doesn't stop")
		k.Kill9()
		return
	}
	if k.waitErr != nil {
		k.t.Errorf("Kontor ended with %v", k.waitErr)
	}
}

// Kill9 ends Kontor as a crash does, and waits until it is gone.
func (k *Kontor) Kill9() {
	k.t.Helper()
	if err := k.cmd.Process.Kill(); err != nil {
		k.t.Error(err)
	}
	<-k.ended
}

// Stdout and Stderr are all that Kontor has written.
func (k *Kontor) Stdout() string { return k.stdout.String() }

// Stderr is described at Stdout.
func (k *Kontor) Stderr() string { return k.stderr.String() }
