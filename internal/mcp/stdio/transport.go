package stdio

import (
	"context"
	"fmt"
	"sync"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// drainGrace is how long, after the whole group was killed, output that is still
// in the pipes may take to be read. Only a process that left the group can hold
// a pipe open longer.
const drainGrace = time.Second

// transport is one process from exec to reaping. Five goroutines belong to it:
// supervise, which sees it to its end and waits for the others; the one that
// lives as long as the process (process.start); the readers of stdout and stderr;
// and the writer of stdin.
type transport struct {
	options  Options
	receiver wire.Receiver
	process  *process
	tail     tail // written by the reader of stderr, read after its end

	turn       chan []byte   // holds the buffer for short lines while nobody writes
	queue      chan outgoing // unbuffered: handed over means being written
	stopInput  chan struct{} // closed by supervise: no more writing
	inputEnded chan struct{} // closed by the writer
	outEnded   chan struct{} // closed by the reader of stdout
	errEnded   chan struct{} // closed by the reader of stderr

	closeOnce sync.Once
	closing   chan struct{}
	done      chan struct{}
	err       error // set before done is closed
}

func open(o Options, r wire.Receiver) (*transport, error) {
	p, err := spawn(o)
	if err != nil {
		return nil, err
	}
	t := &transport{
		options: o, receiver: r, process: p,
		turn: make(chan []byte, 1), queue: make(chan outgoing), stopInput: make(chan struct{}), inputEnded: make(chan struct{}),
		outEnded: make(chan struct{}), errEnded: make(chan struct{}),
		closing: make(chan struct{}), done: make(chan struct{}),
	}
	t.turn <- nil // a buffer is made when it is needed
	t.note(wire.NoteLifecycle, fmt.Sprintf("started %q, process %d", o.Command, p.pid()))
	go t.supervise()
	return t, nil
}

// Done is closed when the process has been reaped and all its output was read.
func (t *transport) Done() <-chan struct{} { return t.done }

// Err answers an error that holds an *ExitError when the process ended without
// Close.
func (t *transport) Err() error {
	select {
	case <-t.done:
		return t.err
	default:
		return nil
	}
}

// Close ends the server: end of input, EOFGrace, SIGTERM to the group, TermGrace,
// SIGKILL. It answers an error only if the process lives on even so, which takes
// a kernel that can't let go of it.
func (t *transport) Close() error {
	t.closeOnce.Do(func() { close(t.closing) })
	bound := time.NewTimer(t.options.EOFGrace + t.options.TermGrace + drainGrace + time.Second)
	defer bound.Stop()
	select {
	case <-t.done:
		return nil
	case <-bound.C:
		return fmt.Errorf("command %q, process %d, outlives SIGKILL", t.options.Command, t.process.pid())
	}
}

// supervise sees the process to its end, however it comes about.
func (t *transport) supervise() {
	go t.write()
	go t.readOutput()
	go t.readErrors()

	var broken string
	select {
	case <-t.closing:
	case <-t.process.exited:
	case <-t.outEnded:
		broken = "closed its output"
	case <-t.inputEnded:
		broken = "closed its input"
	}
	close(t.stopInput)
	_ = t.process.stdin.Close() // frees the writer, should the server not read
	<-t.inputEnded

	byItself := within(t.options.EOFGrace, t.process.exited)
	t.endGroup()
	<-t.process.exited
	escaped := t.drain()
	if t.options.Guard != nil {
		t.options.Guard.Release(t.process.pid())
	}
	exit := newExitError(t.options.Command, t.process.reap(), t.tail.kept)
	t.err = t.verdict(exit, broken, byItself)
	t.note(wire.NoteLifecycle, t.farewell(exit, escaped))
	close(t.done)
}

// endGroup leaves nothing of the group alive: neither a leader that stays, nor
// what a leader that has exited left behind. While the exited leader is not
// reaped one can't ask whether others live; that both pipes have ended tells it
// for all who would use a grace.
func (t *transport) endGroup() {
	t.process.terminate()
	within(t.options.TermGrace, t.process.exited, t.outEnded, t.errEnded)
	t.process.kill()
}

// drain waits for the readers; it tells whether one had to be stopped.
func (t *transport) drain() (escaped bool) {
	escaped = !within(drainGrace, t.outEnded, t.errEnded)
	// A read that waits, and any later one, fails from now on.
	_ = t.process.stdout.SetReadDeadline(time.Now())
	_ = t.process.stderr.SetReadDeadline(time.Now())
	<-t.outEnded
	<-t.errEnded
	closeAll(t.process.stdout, t.process.stderr)
	return escaped
}

// verdict is what Err answers.
func (t *transport) verdict(exit *ExitError, broken string, byItself bool) error {
	select {
	case <-t.closing:
		return nil
	default:
	}
	if broken != "" && !byItself {
		return fmt.Errorf("the server %s and was stopped: %w", broken, exit)
	}
	return exit
}

func (t *transport) farewell(exit *ExitError, escaped bool) string {
	text := exit.Error()
	if escaped {
		text += "; a process that it started has left its process group and may still run"
	}
	return text
}

func (t *transport) note(kind wire.NoteKind, text string) {
	if t.receiver.Note != nil {
		t.receiver.Note(wire.Note{Kind: kind, Text: text})
	}
}

// reason is why nothing can be sent any more. A pipe breaks a moment before its
// process can be asked how it ended, and that is what the sender wants to know:
// the end, which has begun, is waited for.
func (t *transport) reason(ctx context.Context) error {
	select {
	case <-t.done:
	case <-ctx.Done():
	}
	if err := t.Err(); err != nil {
		return err
	}
	return wire.ErrClosed
}

// within waits until every channel is closed, for at most d.
func within(d time.Duration, channels ...<-chan struct{}) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	for _, c := range channels {
		select {
		case <-c:
		case <-timer.C:
			return false
		}
	}
	return true
}
