package calls

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// run takes a call from its row to its end.
func (s *Service) run(ctx context.Context, o *openCall, t target) {
	var result model.Result
	raw, err := s.execute(ctx, o, t)
	if err == nil {
		result, err = readResult(raw, s.o.Media)
	}
	state, reason := verdict(context.Cause(ctx), err)
	call := o.settle(state, result, reason)
	err = s.record(call)
	o.end(err == nil)
	if err != nil {
		s.recordLater(call)
	}
	s.o.Open.remove(call.ID)
}

// maxRights is how often one call waits for more rights. A server that wants another
// one each time would never come to an end.
const maxRights = 3

// execute connects and sends. A call is sent a second time only when the server
// is known not to have run it.
func (s *Service) execute(ctx context.Context, o *openCall, t target) (json.RawMessage, error) {
	call := o.snapshot()
	for again, waits := false, 0; ; {
		conn, err := s.connect(ctx, t)
		if err != nil {
			return nil, err
		}
		// To connect has a limit of its own.
		o.clock.release()
		raw, err := conn.CallTool(ctx, client.ToolCall{
			CallID:     call.ID,
			Name:       call.Tool,
			Arguments:  call.Arguments,
			OnProgress: o.progress,
		})
		o.clock.hold()
		switch {
		case err == nil || ctx.Err() != nil:
			return raw, err
		case model.CodeOf(err) == model.CodeInsufficientScope && s.o.Rights != nil && waits < maxRights:
			// The server refused it before running it (403). How often the person is asked
			// for the same rights is the sign-in's matter.
			waits++
			if err := s.awaitRights(ctx, o); err != nil {
				return nil, err
			}
		case again || !unsent(err):
			return raw, err
		default:
			again = true
		}
	}
}

// awaitRights holds a call until the person has granted what it was refused for.
func (s *Service) awaitRights(ctx context.Context, o *openCall) error {
	call := o.asked()
	defer o.answered()
	return s.o.Rights(ctx, call)
}

// connect finds a connection to the tool's server, and makes sure that the tool
// may be used.
func (s *Service) connect(ctx context.Context, t target) (Conn, error) {
	if !t.unlisted && !t.tool.Enabled {
		return nil, errDisabled(t.tool)
	}
	conn, err := s.o.Connect(ctx, t.tool.Server)
	if err != nil {
		return nil, unavailable(t.tool.Server, err)
	}
	if t.unlisted || t.tool.Saved {
		// The server has listed its tools by now.
		tool, err := s.o.Catalogue.Resolve(t.tool.FullName())
		if err != nil {
			return nil, err
		}
		if !tool.Enabled {
			return nil, errDisabled(tool)
		}
	}
	return conn, nil
}

// unsent tells whether the server is known not to have run the call.
func unsent(err error) bool {
	return errors.Is(err, wire.ErrNotSent) || errors.Is(err, wire.ErrSessionLost)
}

// record commits the settled call, also when Kontor stops because of it. It has no
// time limit: the store's queue may be long, and to leave it would not be shorter.
func (s *Service) record(call model.Call) error {
	err := s.o.Store.FinishCall(context.Background(), call)
	if err != nil {
		s.o.Log.Error("a call's end can't be recorded", "call", call.ID, "state", call.State, "err", err)
	}
	return err
}

// recordLater tries again, for as long as Kontor runs: a disk may have been
// full. Until then the call is known from memory.
func (s *Service) recordLater(call model.Call) {
	const first, most = time.Second, 30 * time.Second
	for wait := first; ; wait = min(2*wait, most) {
		select {
		case <-time.After(wait):
		case <-s.base.Done():
			return
		}
		if s.record(call) == nil {
			return
		}
	}
}
