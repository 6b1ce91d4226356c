package stdio

import (
	"bytes"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
)

// quoted is how much of something that is no message a note repeats.
const quoted = 4 << 10

// readOutput is the life of the reader of stdout.
func (t *transport) readOutput() {
	defer close(t.outEnded)
	lines := lineReader{source: t.process.stdout, limit: t.options.MaxLine, keep: min(quoted, t.options.MaxLine)}
	for {
		l, err := lines.next()
		if err != nil {
			return
		}
		switch {
		case l.size > t.options.MaxLine:
			t.tooLarge(l)
		case l.ended:
			t.deliver(l.data)
		default:
			t.deliverUnended(l.data)
		}
	}
}

// deliver passes on the message or batch in a line. A blank line is nothing, and
// a byte order mark is left out: some runtimes open their output with one.
func (t *transport) deliver(data []byte) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if len(bytes.TrimSpace(data)) == 0 {
		return
	}
	messages, err := wire.ParseAll(data)
	if err != nil {
		t.note(wire.NoteNotProtocol, clip(data, quoted, len(data)))
		return
	}
	for _, m := range messages {
		t.receive(wire.Incoming{Message: m})
	}
}

// deliverUnended passes on what stood behind the last newline, if it is a whole
// message: then nothing but the newline was cut.
func (t *transport) deliverUnended(data []byte) {
	if m, err := wire.Parse(data); err == nil && m.Kind() != wire.Invalid {
		t.receive(wire.Incoming{Message: m})
		return
	}
	t.note(wire.NoteNotProtocol, fmt.Sprintf("the output ended in the middle of a message, after %d bytes: %s",
		len(data), clip(data, quoted, len(data))))
}

// tooLarge answers in the server's place when the line was the answer to a
// request, which would wait for its time limit otherwise.
func (t *transport) tooLarge(l line) {
	err := fmt.Errorf("%w: the server sent a message of %d bytes, the limit is %d", wire.ErrTooLarge, l.size, t.options.MaxLine)
	t.note(wire.NoteNotProtocol, fmt.Sprintf("%v; it begins: %s", err, clip(l.data, 200, l.size)))
	if id := answeredID(l.data, l.tail); id != nil {
		m := wire.NewErrorResponse(id, &wire.Error{Code: wire.CodeInternalError, Message: err.Error()})
		t.receive(wire.Incoming{Message: m, Err: err})
	}
}

func (t *transport) receive(in wire.Incoming) {
	if t.receiver.Message != nil {
		t.receiver.Message(in)
	}
}

// clip makes a note's text of data: at most limit bytes, whole characters, and a
// mark that says how long it was.
func clip(data []byte, limit, size int) string {
	text := strings.ToValidUTF8(string(data[:min(limit, len(data))]), "\ufffd")
	if size > limit {
		text += fmt.Sprintf("… (cut: %d bytes in all)", size)
	}
	return text
}
