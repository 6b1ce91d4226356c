package client

import (
	"context"
	"encoding/json"
	"fmt"

	"kontor.dev/kontor/internal/mcp/wire"
)

const (
	// maxRefusals is how many requests wait for their refusal at a time.
	maxRefusals = 8 << 10
	// maxRefusedID bounds what is kept of each: ids are the server's choice.
	maxRefusedID = 128
)

// refusals are the requests for which there was no room. One goroutine tells
// them so, for as long as there are any; a server that doesn't read costs
// a queue of ids, not a goroutine for each.
type refusals struct {
	ids     []json.RawMessage
	running bool
	// refused counts those since the last line about them, unanswered those of
	// them that get no answer.
	refused, unanswered int
}

// refuse queues a request's refusal. Callers hold mu, and c hasn't ended.
func (c *conn) refuse(id json.RawMessage) {
	q := &c.refusals
	q.refused++
	if len(q.ids) >= maxRefusals || len(id) > maxRefusedID {
		q.unanswered++
	} else {
		q.ids = append(q.ids, id)
	}
	if !q.running {
		q.running = true
		c.tasks.Go(c.tellRefused)
	}
}

// tellRefused answers what is queued, then says in one line how many there were.
func (c *conn) tellRefused() {
	select {
	case <-c.ready:
	case <-c.base.Done():
		return
	}
	for {
		id, more := c.nextRefusal()
		if !more {
			return
		}
		if err := c.sendRefusal(id); err != nil {
			c.dropRefusals()
		}
	}
}

// nextRefusal takes one; when there is none left, the goroutine ends.
func (c *conn) nextRefusal() (id json.RawMessage, more bool) {
	c.mu.Lock()
	q := &c.refusals
	if len(q.ids) > 0 && !c.ended {
		id, q.ids = q.ids[0], q.ids[1:]
		c.mu.Unlock()
		return id, true
	}
	refused, unanswered := q.refused, q.unanswered
	*q = refusals{}
	c.mu.Unlock()
	text := fmt.Sprintf("%d requests of the server were refused: %d were open already", refused, maxInbound)
	if unanswered > 0 {
		text += fmt.Sprintf("; %d of them could not be told", unanswered)
	}
	c.note(wire.Note{Kind: wire.NoteLifecycle, Text: text})
	return nil, false
}

// dropRefusals gives up on a server that takes no answers.
func (c *conn) dropRefusals() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refusals.unanswered += len(c.refusals.ids) + 1
	c.refusals.ids = nil
}

func (c *conn) sendRefusal(id json.RawMessage) error {
	ctx, cancel := context.WithTimeout(c.base, replyTime)
	defer cancel()
	m := wire.NewErrorResponse(id, &wire.Error{Code: wire.CodeInternalError,
		Message: fmt.Sprintf("too many open requests: %d wait already", maxInbound)})
	return c.send(ctx, TraceEvent{Message: m})
}
