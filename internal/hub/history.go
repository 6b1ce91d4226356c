package hub

import (
	"bytes"
	"unicode/utf8"

	"github.com/gorilla/websocket"
)

// history holds the latest messages, oldest first, within two bounds.
type history struct {
	maxBytes, maxMessages int

	entries []entry
	bytes   int
}

type entry struct {
	seq  uint64
	data []byte
}

func (h *history) add(seq uint64, data []byte) {
	h.entries = append(h.entries, entry{seq, data})
	h.bytes += len(data)
	drop := 0
	for len(h.entries)-drop > h.maxMessages || h.bytes > h.maxBytes && len(h.entries)-drop > 0 {
		h.bytes -= len(h.entries[drop].data)
		h.entries[drop] = entry{} // lets the message go before the slice moves
		drop++
	}
	h.entries = h.entries[drop:]
}

func (h *history) clear() {
	h.entries, h.bytes = nil, 0
}

// after returns the messages with higher numbers; ok is false when some of them
// are no longer held.
func (h *history) after(seq uint64) (missed []*websocket.PreparedMessage, ok bool) {
	if len(h.entries) == 0 || h.entries[0].seq > seq+1 {
		return nil, false
	}
	for _, e := range h.entries[seq+1-h.entries[0].seq:] {
		missed = append(missed, prepare(e.data))
	}
	return missed, true
}

// prepare makes a text message. A client ends the connection over one byte that is no
// UTF-8 (RFC 6455 §8.1), and again whenever it resumes: such bytes, which a server may
// have sent, become U+FFFD.
func prepare(data []byte) *websocket.PreparedMessage {
	if !utf8.Valid(data) {
		data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	m, err := websocket.NewPreparedMessage(websocket.TextMessage, data)
	if err != nil {
		panic(err) // fails for unknown message types only
	}
	return m
}
