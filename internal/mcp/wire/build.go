package wire

import (
	"encoding/json"
	"strconv"
)

const opening = `{"jsonrpc":"2.0"`

// NewRequest builds a request. params is JSON text, taken as it is; empty leaves
// the member out.
func NewRequest(id int64, method string, params json.RawMessage) Message {
	b := newBuilder(method, params)
	var m Message
	b.open("id")
	b.buf = strconv.AppendInt(b.buf, id, 10)
	m.ID = b.member()
	b.method(&m, method, params)
	return b.done(m)
}

// NewNotification builds a message that nobody answers.
func NewNotification(method string, params json.RawMessage) Message {
	b := newBuilder(method, params)
	var m Message
	b.method(&m, method, params)
	return b.done(m)
}

// NewResult answers the request with the given id, as the asker wrote it, with a
// result taken as it is; empty becomes {}.
func NewResult(id, result json.RawMessage) Message {
	if len(result) == 0 {
		result = json.RawMessage("{}")
	}
	b := newBuilder(string(id), result)
	var m Message
	b.id(&m, id)
	b.open("result")
	b.buf = append(b.buf, result...)
	m.Result = b.member()
	return b.done(m)
}

// NewErrorResponse answers the request with the given id, as the asker wrote it
// (empty becomes null, for a request whose id could not be read), with an error.
func NewErrorResponse(id json.RawMessage, e *Error) Message {
	b := newBuilder(string(id)+e.Message, e.Data)
	var m Message
	b.id(&m, id)
	b.open("error")
	b.buf = append(b.buf, `{"code":`...)
	b.buf = strconv.AppendInt(b.buf, e.Code, 10)
	b.buf = append(b.buf, `,"message":`...)
	b.buf = AppendString(b.buf, e.Message)
	if len(e.Data) > 0 {
		b.buf = append(b.buf, `,"data":`...)
		b.buf = append(b.buf, e.Data...)
	}
	b.buf = append(b.buf, '}')
	m.Error = b.member()
	return b.done(m)
}

// builder writes a message's members one after the other into one buffer, made
// large enough at the start that it never moves: members are slices of it.
type builder struct {
	buf   []byte
	start int // of the member being written
}

func newBuilder(small string, large []byte) *builder {
	// An escaped byte takes up to six; names and ids are few.
	b := builder{buf: make([]byte, 0, len(opening)+96+6*len(small)+len(large))}
	b.buf = append(b.buf, opening...)
	return &b
}

func (b *builder) open(member string) {
	b.buf = append(b.buf, `,"`...)
	b.buf = append(b.buf, member...)
	b.buf = append(b.buf, `":`...)
	b.start = len(b.buf)
}

// member is the value written since open.
func (b *builder) member() json.RawMessage { return b.buf[b.start:len(b.buf):len(b.buf)] }

func (b *builder) id(m *Message, id json.RawMessage) {
	if len(id) == 0 {
		id = json.RawMessage("null")
	}
	b.open("id")
	b.buf = append(b.buf, id...)
	m.ID = b.member()
}

func (b *builder) method(m *Message, method string, params json.RawMessage) {
	m.Method = method
	b.open("method")
	b.buf = AppendString(b.buf, method)
	if len(params) > 0 {
		b.open("params")
		b.buf = append(b.buf, params...)
		m.Params = b.member()
	}
}

func (b *builder) done(m Message) Message {
	b.buf = append(b.buf, '}')
	m.Raw = b.buf[:len(b.buf):len(b.buf)]
	return m
}
