package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

const subscriptionID = "io.modelcontextprotocol/subscriptionId"

// standing is what a request needs whose answer comes only when the server ends it
// (2026-07-28, basic/patterns "Subscriptions").
type standing struct {
	acknowledged chan json.RawMessage // the params of the acknowledgement
	news         atomic.Bool          // set by each notification after that
}

// errNothingTaken is a server that acknowledges nothing of what it was asked for.
var errNothingTaken = errors.New("it takes none of what was asked for")

// run keeps the subscription open.
func (s *subscription) run() {
	defer close(s.ended)
	defer s.settle()
	for {
		start := time.Now()
		news, err := s.once()
		s.settle()
		switch {
		case s.ctx.Err() != nil || s.c.conn.over():
			return
		case lasting(err):
			s.note("the server takes no subscription to its changes: %v", err)
			return
		}
		wait, ok := s.tries.Ended(news, time.Since(start), -1)
		if !ok {
			s.note("the server's changes are no longer listened for: %d tries in a row brought nothing, the last one: %v", s.tries.Barren, err)
			return
		}
		select {
		case <-time.After(wait):
		case <-s.ctx.Done():
			return
		}
	}
}

// settle lets those go on who wait for the first opening.
func (s *subscription) settle() {
	select {
	case <-s.heard:
	default:
		close(s.heard)
	}
}

// errEnded is a subscription that the server has ended in good order.
var errEnded = errors.New("the server ended the subscription")

// once opens the subscription and waits for its end.
func (s *subscription) once() (news bool, _ error) {
	defer s.agreed.Store(nil)
	st := &standing{acknowledged: make(chan json.RawMessage, 1)}
	e, err := s.c.conn.begin(s.ctx, &request{dialect: s.c.dialect, method: "subscriptions/listen", members: s.filter.members(), standing: st})
	if err != nil {
		return false, err
	}
	for {
		select {
		case params := <-st.acknowledged:
			if err := s.acknowledged(params); err != nil {
				e.abandon(err)
				return false, err
			}
		case r := <-e.answered:
			return st.news.Load(), s.endedBy(r, st)
		case <-s.ctx.Done():
			e.abandon(context.Cause(s.ctx))
			return false, context.Cause(s.ctx)
		}
	}
}

// endedBy says how an opening ended. One that takes nothing may end right behind
// its acknowledgement.
func (s *subscription) endedBy(r reply, st *standing) error {
	if _, err := r.result(); err != nil {
		if u, ok := errors.AsType[*unknownOutcome](err); ok {
			return u.cause // a subscription has no outcome
		}
		return err
	}
	select {
	case params := <-st.acknowledged:
		if err := s.acknowledged(params); err != nil {
			return err
		}
	default:
	}
	return errEnded
}

// acknowledged takes note that the subscription is open.
func (s *subscription) acknowledged(params json.RawMessage) error {
	agreed := s.filter.agreed(params)
	if agreed.empty() {
		return errNothingTaken
	}
	if got, want := string(agreed.members()), string(s.filter.members()); got != want && s.openings == 0 {
		s.note("the server takes only a part of a subscription: {%s} of {%s}", got, want)
	}
	if s.tries.Barren > 0 && s.openings > 0 {
		s.note("the server's changes are heard of again after %d tries", s.tries.Barren)
	}
	if s.openings > 0 || s.late.Load() {
		s.c.conn.missed()
	}
	s.openings++
	s.agreed.Store(&agreed)
	s.settle()
	return nil
}

func (s *subscription) note(format string, args ...any) {
	s.c.conn.note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf(format, args...)})
}

// lasting tells whether a subscription that came to this end will do so again.
func lasting(err error) bool {
	var rpc *wire.Error
	var status *wire.HTTPError
	switch {
	case errors.Is(err, errNothingTaken):
		return true
	case errors.As(err, &rpc):
		switch rpc.Code {
		case wire.CodeMethodNotFound, wire.CodeInvalidParams, wire.CodeInvalidRequest,
			wire.CodeHeaderMismatch, wire.CodeMissingCapability, wire.CodeUnsupportedVersion:
			return true
		}
	case errors.As(err, &status):
		return refused(status.Status) && !unavailable(status.Status) && status.Status != http.StatusConflict
	}
	return false
}

// subscribed finds the open subscription that a notification belongs to: by the
// HTTP answer that carries it, else by the id in its _meta.
func (c *conn) subscribed(in wire.Incoming) *standing {
	raw := json.RawMessage(in.Stream)
	if in.Stream == "" {
		raw = wire.Member(wire.Member(in.Message.Params, "_meta"), subscriptionID)
	}
	id, ok := parseID(raw)
	if !ok {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.waiting[id]; e != nil {
		return e.standing
	}
	return nil
}

// acknowledge takes notifications/subscriptions/acknowledged.
func (c *conn) acknowledge(in wire.Incoming) {
	if st := c.subscribed(in); st != nil {
		select {
		case st.acknowledged <- in.Message.Params:
		default: // it has come before
		}
	}
}

// over tells whether the connection has ended.
func (c *conn) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}
