//go:build unix

package stdio_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestTheServerSeesWhatItWasGivenAndNothingElse(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	args := []string{"a b", `$HOME;"x"`, "", "*", "ü"}
	env := []string{fakeVar + "=world", "A=1", "EMPTY="}
	p := fake(t, "world", func(o *stdio.Options) { o.Dir, o.Env = dir, env }, args...)
	p.request(1, `{}`)
	var got struct {
		Args, Env   []string
		Dir         string
		Leader      bool
		Nonblocking []int
	}
	if err := json.Unmarshal(p.message(0).Message.Result, &got); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Args, args) {
		t.Errorf("args: want %q, got %q", args, got.Args)
	}
	if !slices.Equal(got.Env, env) {
		t.Errorf("env: want %q, got %q", env, got.Env)
	}
	if got.Dir != dir {
		t.Errorf("dir: want %q, got %q", dir, got.Dir)
	}
	if !got.Leader {
		t.Error("the server leads no process group")
	}
	if got.Nonblocking != nil {
		t.Errorf("descriptors %v are non-blocking, which few programs expect", got.Nonblocking)
	}
}

// The server reads nothing, answers nothing and ignores SIGTERM.
func TestAHangingServerHoldsNobody(t *testing.T) {
	t.Parallel()
	p := fake(t, "hang", nil)
	p.noted(wire.NoteStderr, "hanging")
	stuck, giveUp := context.WithCancelCause(t.Context())
	reason := errors.New("the person gave up")
	first := make(chan error)
	go func() {
		first <- p.send(stuck, wire.NewRequest(1, "x", json.RawMessage(`"`+strings.Repeat("x", 1<<20)+`"`)))
	}()
	// Once the first message fills the pipe, the next ones wait behind it.
	eventually(t, "the pipe is full", func() bool {
		short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		err := p.send(short, wire.NewNotification("y", nil))
		return errors.Is(err, wire.ErrNotSent) && errors.Is(err, context.DeadlineExceeded)
	})
	giveUp(reason)
	if err := <-first; !errors.Is(err, reason) || errors.Is(err, wire.ErrNotSent) {
		t.Errorf("want the reason alone, since half the message is out, got %v", err)
	}
	waiting := make(chan error)
	go func() { waiting <- p.send(t.Context(), wire.NewNotification("z", nil)) }()
	start := time.Now()
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(start); took > 4*time.Second {
		t.Errorf("Close took %v", took)
	}
	if err := <-waiting; !errors.Is(err, wire.ErrNotSent) {
		t.Errorf("want ErrNotSent, got %v", err)
	}
	if err := p.ended(); err != nil {
		t.Errorf("after Close want no error, got %v", err)
	}
}

func TestCloseLetsAServerThatHeedsTheEndOfInputExitByItself(t *testing.T) {
	t.Parallel()
	p := fake(t, "silent", func(o *stdio.Options) { o.EOFGrace, o.TermGrace = time.Hour, time.Hour })
	p.request(1, `{}`)
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	p.noted(wire.NoteLifecycle, "exited with code 0")
	if err := p.send(t.Context(), wire.NewNotification("x", nil)); !errors.Is(err, wire.ErrNotSent) || !errors.Is(err, wire.ErrClosed) {
		t.Errorf("want ErrNotSent and ErrClosed, got %v", err)
	}
}

func TestAServerThatDiesAtStartSaysWhy(t *testing.T) {
	t.Parallel()
	p := fake(t, "fail", nil)
	var exit *stdio.ExitError
	if err := p.ended(); !errors.As(err, &exit) {
		t.Fatalf("want an ExitError, got %v", err)
	}
	if exit.ExitCode != 3 || exit.Signal != "" || !strings.Contains(exit.Error(), "exited with code 3") {
		t.Errorf("want code 3, got %+v", exit)
	}
	if want := []string{"config.yaml: no such file", "token=abc123"}; !slices.Equal(exit.StderrTail, want) {
		t.Errorf("stderr: want %q, got %q", want, exit.StderrTail)
	}
	if err := p.send(t.Context(), wire.NewNotification("x", nil)); !errors.Is(err, wire.ErrNotSent) || !errors.As(err, &exit) {
		t.Errorf("want ErrNotSent with the exit, got %v", err)
	}
}

func TestASendThatMeetsADyingServerSaysHowItDied(t *testing.T) {
	t.Parallel()
	for range 20 { // each meets another moment of the end
		p := fake(t, "fail", nil)
		var exit *stdio.ExitError
		for {
			err := p.send(t.Context(), wire.NewNotification("x", nil))
			if err == nil {
				continue
			}
			if !errors.As(err, &exit) || exit.ExitCode != 3 {
				t.Fatalf("want the exit with code 3, got %v", err)
			}
			break
		}
	}
}

func TestAFloodOnStderrStopsNothing(t *testing.T) {
	t.Parallel()
	p := fake(t, "flood", nil)
	for i := range 3 {
		p.request(int64(i), `{}`)
		p.message(i)
	}
	p.until("the long lines", func() bool {
		return countNotes(p.notes, strings.Repeat("y", 64<<10)+"… (cut: 1048576 bytes in all)") == 3
	})
	p.until("the short lines", func() bool { return countNotes(p.notes, strings.Repeat("x", 1<<10-1)) == 3*4<<10 })
}

func TestAKilledServerIsNoticedAtOnce(t *testing.T) {
	t.Parallel()
	p := fake(t, "silent", func(o *stdio.Options) { o.EOFGrace, o.TermGrace = time.Hour, time.Hour })
	if err := syscall.Kill(p.pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var exit *stdio.ExitError
	if err := p.ended(); !errors.As(err, &exit) || exit.Signal != "killed" || exit.ExitCode != -1 {
		t.Errorf("want killed, got %v", err)
	}
}

func TestAServerThatClosesAPipeIsEnded(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"mute": "closed its output", "deaf": "closed its input"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := fake(t, name, nil)
			if name == "deaf" {
				p.noted(wire.NoteStderr, "deaf")
				if err := p.send(t.Context(), wire.NewNotification("x", nil)); !errors.Is(err, wire.ErrNotSent) || !errors.Is(err, syscall.EPIPE) {
					t.Errorf("want ErrNotSent and EPIPE, got %v", err)
				}
			}
			var exit *stdio.ExitError
			if err := p.ended(); !errors.As(err, &exit) || !strings.Contains(err.Error(), want) {
				t.Errorf("want %q, got %v", want, err)
			}
		})
	}
}

func countNotes(notes []wire.Note, text string) (n int) {
	for _, note := range notes {
		if note.Kind == wire.NoteStderr && note.Text == text {
			n++
		}
	}
	return n
}
