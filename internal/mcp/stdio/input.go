package stdio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"kontor.dev/kontor/internal/mcp/wire"
)

// outgoing is a message on its way to the writer.
type outgoing struct {
	raw []byte
	// written takes the outcome; it has room for it, so that the writer never
	// waits for a sender that has left.
	written chan error
}

// Send hands one message to the server and returns when its line is written.
//
// One goroutine owns the pipe, because a line once begun has to be ended: when
// ctx ends first, a message that no one has begun to write is not sent
// (wire.ErrNotSent), and one that is being written is written to its end without
// the sender waiting for it. out.Message.Raw must not change after the call.
func (t *transport) Send(ctx context.Context, out wire.Outgoing) error {
	if ctx.Err() != nil {
		return notSent(context.Cause(ctx))
	}
	o := outgoing{raw: out.Message.Raw, written: make(chan error, 1)}
	select {
	case t.queue <- o:
	case <-t.inputEnded:
		return notSent(t.reason())
	case <-ctx.Done():
		return notSent(context.Cause(ctx))
	}
	select {
	case err := <-o.written:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// write is the writer's life. A write that failed ends it: half a line may be in
// the pipe.
func (t *transport) write() {
	defer close(t.inputEnded)
	var buf []byte
	for {
		select {
		case o := <-t.queue:
			var line []byte
			line, buf = frame(o.raw, buf)
			n, err := t.process.stdin.Write(line)
			if err != nil {
				err = fmt.Errorf("write to the server: %w", brokenPipe(err))
				if n == 0 {
					err = notSent(err)
				}
			}
			o.written <- err
			if err != nil {
				return
			}
		case <-t.stopInput:
			return
		}
	}
}

// frame makes a line of a message, in buf where it has room. Line breaks between
// a message's tokens become blanks: it is still the same JSON, in one line.
// Inside strings JSON has no raw ones.
func frame(raw, buf []byte) (line, kept []byte) {
	line = append(append(buf[:0], raw...), '\n')
	for _, lineBreak := range []byte("\n\r") {
		for at := 0; ; at++ {
			i := bytes.IndexByte(line[at:len(raw)], lineBreak)
			if i < 0 {
				break
			}
			at += i
			line[at] = ' '
		}
	}
	if cap(line) <= largeBuffer {
		return line, line
	}
	return line, nil // one large message must not hold its memory for ever
}

func notSent(err error) error { return fmt.Errorf("%w: %w", wire.ErrNotSent, err) }

// brokenPipe drops the name of our end of the pipe, which tells nobody anything.
func brokenPipe(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}
