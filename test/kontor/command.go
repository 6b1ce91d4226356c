package kontor

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

// Outcome is how a command ended.
type Outcome struct {
	Code           int
	Stdout, Stderr string
}

// Run runs `kontor args…` until it ends. Env is added to the environment.
func Run(t testing.TB, env []string, args ...string) Outcome {
	t.Helper()
	lookAtSources(t)
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	var stdout, stderr output
	cmd := exec.CommandContext(ctx, Binary(), args...)
	cmd.Env = environment(env...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := errors.AsType[*exec.ExitError](err); err != nil && !exited || ctx.Err() != nil {
		t.Fatalf("kontor %s: %v, %v\n%s", strings.Join(args, " "), err, ctx.Err(), stderr.String())
	}
	return Outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// Command runs `kontor args…` on the data folder and returns what it printed. A
// failure fails the test.
func (k *Kontor) Command(args ...string) string {
	k.t.Helper()
	return Command(k.t, k.Data, args...)
}

// Command runs `kontor args…` on a data folder.
func Command(t testing.TB, data string, args ...string) string {
	t.Helper()
	got := Run(t, nil, append(args, "--data", data)...)
	if got.Code != 0 {
		t.Fatalf("kontor %s: %s", strings.Join(args, " "), got.Stderr)
	}
	return strings.TrimSpace(got.Stdout)
}
