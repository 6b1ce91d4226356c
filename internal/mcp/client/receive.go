package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"kontor.dev/kontor/internal/mcp/wire"
)

// receive is the one way in, called from the transport's readers. It never
// waits: answers go to a buffered channel, notifications to the queue, requests
// to a goroutine of their own.
func (c *conn) receive(in wire.Incoming) {
	switch in.Message.Kind() {
	case wire.Response:
		c.receiveResponse(in)
	case wire.Notification:
		c.receiveNotification(in)
	case wire.Request:
		c.receiveRequest(in)
	default:
		c.note(wire.Note{Kind: wire.NoteNotProtocol, Text: string(head(in.Message.Raw, 1024))})
	}
}

func (c *conn) receiveResponse(in wire.Incoming) {
	m := in.Message
	id, ok := parseID(m.ID)
	if !ok && m.Error != nil && in.Stream != "" {
		// A server that could not read the id answers with null or none. On the
		// request's own HTTP answer there is no doubt whom it means.
		id, ok = parseID(json.RawMessage(in.Stream))
	}
	var e *exchange
	if ok {
		e = c.take(id)
	}
	if e == nil {
		c.trace(TraceEvent{Message: m})
		if !ok || !c.wasDropped(id) {
			c.strayed(fmt.Sprintf("an answer came for id %s, which nobody waits for", showID(m.ID)))
		}
		return
	}
	c.trace(TraceEvent{Message: m, Method: e.method, CallID: e.callID})
	e.settle(reply{message: m, status: in.Status, err: in.Err})
}

// strayed notes an answer that is nobody's.
func (c *conn) strayed(words string) {
	c.mu.Lock()
	c.stray = words
	c.mu.Unlock()
	c.note(wire.Note{Kind: wire.NoteLifecycle, Text: words})
}

// explain adds to the failure of a start what was seen on the connection.
func (c *conn) explain(err error) {
	if e, ok := errors.AsType[*StartError](err); ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		e.Stray = c.stray
	}
}

// wasDropped tells whether the answer to a request given up has come, and takes
// it off the list: a second one is worth a note.
func (c *conn) wasDropped(id int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.Index(c.gone, id)
	if i < 0 {
		return false
	}
	c.gone = slices.Delete(c.gone, i, i+1)
	return true
}

func (c *conn) receiveNotification(in wire.Incoming) {
	m := in.Message
	switch m.Method {
	case "notifications/progress":
		e, p := c.progress(m.Params)
		callID := ""
		if e != nil {
			callID = e.callID
		}
		c.trace(TraceEvent{Message: m, Method: m.Method, CallID: callID})
		if e != nil && e.onProgress != nil {
			e.onProgress(p)
		}
		return // without its request it is late, and says nothing
	case "notifications/subscriptions/acknowledged":
		c.trace(TraceEvent{Message: m, Method: m.Method})
		c.acknowledge(in)
		return
	case "notifications/cancelled":
		c.trace(TraceEvent{Message: m, Method: m.Method})
		if c.withdraw(m.Params) {
			return
		}
	default:
		c.trace(TraceEvent{Message: m, Method: m.Method})
		if st := c.subscribed(in); st != nil {
			st.news.Store(true)
		}
	}
	if c.handlers.Notification == nil {
		return
	}
	if text := c.notices.push(notice{m.Method, m.Params}); text != "" {
		c.note(wire.Note{Kind: wire.NoteLifecycle, Text: text})
	}
}

// progress finds the request that a progress notification is about: its token is
// the request's own id.
func (c *conn) progress(params json.RawMessage) (*exchange, Progress) {
	var p struct {
		ProgressToken   json.RawMessage
		Progress, Total json.Number
		Message         string
	}
	if json.Unmarshal(params, &p) != nil {
		return nil, Progress{}
	}
	id, ok := parseID(p.ProgressToken)
	if !ok {
		return nil, Progress{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.waiting[id], Progress{Progress: p.Progress, Total: p.Total, Message: p.Message}
}

// parseID reads an id or a progress token of ours. Servers that keep numbers as
// floats or as text send 1.0 or "1" for 1: that is still no other request's id.
func parseID(raw json.RawMessage) (int64, bool) {
	text := string(bytes.Trim(raw, `"`))
	if id, err := strconv.ParseInt(text, 10, 64); err == nil {
		return id, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

func showID(id json.RawMessage) string {
	if len(id) == 0 {
		return "(none)"
	}
	return string(head(id, 64))
}
