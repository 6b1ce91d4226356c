package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// handlers are the ways back from a connection.
func (o *owner) handlers() client.Handlers {
	o.dials++
	conn := o.dials
	return client.Handlers{Elicit: o.elicit, Notification: o.notification, Missed: o.missed, Note: o.note,
		Trace: func(e client.TraceEvent) { o.trace(conn, e) }}
}

// elicit puts a server's question before the person, while the clocks of the
// calls that may be asking stand still.
func (o *owner) elicit(ctx context.Context, q client.Question) (client.Answer, error) {
	q, leave, err := o.admit(q)
	if err != nil {
		return client.Answer{}, err
	}
	defer leave()
	asking, calls, end := o.m.o.Questions.Begin(ctx, q.CallIDs)
	defer end()
	s := o.view().Config
	answer, err := o.m.o.Inbox.Ask(asking, itemOf(s, q, calls, time.Now().UTC()))
	switch {
	case err != nil && ctx.Err() == nil && asking.Err() != nil:
		// The calls are over, the server isn't: it gets an answer.
		return client.Answer{Action: string(model.ActionCancel)}, nil
	case err != nil:
		return client.Answer{}, err
	}
	if answer.Action == model.ActionAccept {
		o.secrets.add(maskedValues(q.Schema, answer.Content))
	}
	return client.Answer{Action: string(answer.Action), Content: answer.Content}, nil
}

// itemOf makes the item of a question. It names one call where the protocol
// tells which one asks, else the candidates.
func itemOf(s model.Server, q client.Question, calls []model.Call, now time.Time) model.Item {
	item := model.Item{
		Kind: model.ItemElicitation, Server: s.Name, CallIDs: q.CallIDs,
		Mode: model.ElicitationMode(q.Mode), Message: q.Message, Schema: q.Schema, URL: q.URL, ElicitationID: q.ElicitationID,
		CreatedAt: now, Deadline: now.Add(s.WithDefaults().ElicitationTimeout),
	}
	if len(q.CallIDs) == 1 {
		item.CallID = q.CallIDs[0]
	}
	if len(calls) == 1 {
		item.Tool, item.SessionID, item.Asker = calls[0].Tool, calls[0].SessionID, calls[0].Asker
	}
	return item
}

// notification sorts what a server says unasked.
func (o *owner) notification(method string, params json.RawMessage) {
	switch method {
	case "notifications/tools/list_changed":
		o.markStale(model.ListTools)
	case "notifications/resources/list_changed":
		o.markStale(model.ListResources, model.ListTemplates)
	case "notifications/prompts/list_changed":
		o.markStale(model.ListPrompts)
	case "notifications/message":
		o.message(params)
	case "notifications/elicitation/complete":
		id, _ := wire.Text(wire.Member(params, "elicitationId"))
		o.beside(func() { o.m.o.Inbox.Complete(o.base, o.name, id) })
	case "notifications/cancelled":
		// For a question that has ended already.
	default:
		o.push(method, params)
	}
}

// missed makes up for notifications that may have been lost.
func (o *owner) missed() {
	o.markStale(model.ListKinds()...)
}

// push hands a notification on that is the server's own.
func (o *owner) push(method string, params json.RawMessage) {
	o.whisper(func(v *View) { v.Pushes++ })
	if o.m.o.Push != nil {
		o.m.o.Push(o.name, method, params)
	}
}

// message writes a log record (2025-11-25, server/utilities/logging) into the
// server's log.
func (o *owner) message(params json.RawMessage) {
	level, _ := wire.Text(wire.Member(params, "level"))
	if !logLevel(level) {
		level = "info"
	}
	data := wire.Member(params, "data")
	text, ok := wire.Text(data)
	if !ok {
		text = string(data)
	}
	if logger, _ := wire.Text(wire.Member(params, "logger")); logger != "" {
		text = logger + ": " + text
	}
	o.m.o.Log.Write(o.name, level, oneLine(text))
}

// logLevel tells whether a word is a level of RFC 5424.
func logLevel(word string) bool {
	switch word {
	case "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency":
		return true
	}
	return false
}

// maxLastLine bounds the line of stderr that goes with every event.
const maxLastLine = 1 << 10

// note writes what the transport saw into the server's log.
func (o *owner) note(n wire.Note) {
	text := oneLine(n.Text)
	o.m.o.Log.Write(o.name, string(n.Kind), text)
	n.Text = o.m.o.Redactor.Redact(text)
	if o.odd.take(n, o.view().Config.Transport) {
		nudge(o.small)
	}
	if n.Kind == wire.NoteStderr {
		text = clip(o.m.o.Redactor.Redact(text), maxLastLine)
		o.whisper(func(v *View) { v.Status.LastStderr = text })
	}
}

// trace keeps a message that passed on one connection. What a person answered is in
// none.
func (o *owner) trace(conn uint64, e client.TraceEvent) {
	entry := model.TraceEntry{
		Conn: conn, At: time.Now().UTC(), Dir: "in", Kind: kindOf(e.Message), Method: e.Method, ID: string(e.Message.ID), CallID: e.CallID,
	}
	if e.Out {
		entry.Dir = "out"
	}
	body := e.Message.Raw
	switch {
	case e.Lost != nil:
		entry.Kind, body = "unanswered", []byte(lostWords(e.Lost))
	case e.Private:
		body = fmt.Appendf(nil, "(%d bytes with what a person answered are not kept)", len(body))
	}
	o.m.o.Log.Trace(o.name, entry, body)
}

// lostWords say why no answer to a request came.
func lostWords(err error) string {
	switch {
	case errors.Is(err, wire.ErrClosed):
		return "the connection was closed"
	case errors.Is(err, syscall.ECONNRESET):
		return "the connection was reset"
	case errors.Is(err, context.Canceled):
		return "it was cancelled"
	}
	return explain(err).Message
}

func kindOf(m wire.Message) string {
	switch m.Kind() {
	case wire.Request:
		return "request"
	case wire.Notification:
		return "notification"
	case wire.Response:
		return "response"
	}
	return "invalid"
}
