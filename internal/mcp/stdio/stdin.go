package stdio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"kontor.dev/kontor/internal/mcp/wire"
)

// outgoing is a message on its way to the writer, with the turn to write.
type outgoing struct {
	raw, buf []byte
	// written takes the outcome; it has room for it, so that the writer never
	// waits for a sender that has left.
	written chan error
}

// Send hands one message to the server and returns when its line is written.
//
// One at a time has the turn to write, since a line once begun has to be ended. A
// short line goes into the pipe from here when there is room for it. Any other is
// left to the writer, who never leaves: when ctx ends first, a message that no one
// has begun to write is not sent (wire.ErrNotSent), and one that is being written is
// written to its end without the sender waiting for it. out.Message.Raw must not
// change after the call.
func (t *transport) Send(ctx context.Context, out wire.Outgoing) error {
	if ctx.Err() != nil {
		return notSent(context.Cause(ctx))
	}
	var buf []byte
	select {
	case buf = <-t.turn:
	case <-t.inputEnded:
		return notSent(t.reason(ctx))
	case <-ctx.Done():
		return notSent(context.Cause(ctx))
	}
	raw := oneLine(out.Message.Raw)
	if len(raw) < pipeBuf {
		buf = append(append(buf[:0], raw...), '\n')
		if t.process.offer(buf) {
			t.turn <- buf
			return nil
		}
	}
	o := outgoing{raw: raw, buf: buf, written: make(chan error, 1)}
	select {
	case t.queue <- o:
	case <-t.inputEnded:
		return notSent(t.reason(ctx))
	}
	select {
	case err := <-o.written:
		if err != nil {
			err = fmt.Errorf("%w: %w", err, t.reason(ctx))
		}
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// write is the writer's life. A write that failed ends it, and the turns with it:
// half a line may be in the pipe.
func (t *transport) write() {
	defer close(t.inputEnded)
	for {
		select {
		case o := <-t.queue:
			buf, err := t.writeLine(o.raw, o.buf)
			o.written <- err
			if err != nil {
				return
			}
			t.turn <- buf
		case <-t.stopInput:
			return
		}
	}
}

// writeLine writes a message and its newline: a small one in one write, by way of
// buf, a large one as it is.
func (t *transport) writeLine(raw, buf []byte) (kept []byte, err error) {
	end := []byte("\n")
	if len(raw) < largeBuffer {
		buf = append(buf[:0], raw...)
		raw, end = append(buf, '\n'), nil
		buf = raw
	}
	n, err := t.process.stdin.Write(raw)
	if err == nil && end != nil {
		_, err = t.process.stdin.Write(end)
	}
	if err != nil {
		err = fmt.Errorf("write to the server: %w", brokenPipe(err))
		if n == 0 {
			err = notSent(err)
		}
	}
	if cap(buf) > smallBuffer {
		buf = nil // see lineReader.cut
	}
	return buf, err
}

// oneLine makes blanks of the line breaks between a message's tokens: it is still
// the same JSON. Inside strings JSON has no raw ones.
func oneLine(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 && bytes.IndexByte(raw, '\r') < 0 {
		return raw
	}
	line := bytes.ReplaceAll(raw, []byte("\n"), []byte(" "))
	return bytes.ReplaceAll(line, []byte("\r"), []byte(" "))
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
