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

// run takes a call from its row to its end. c is nil for the person's own.
func (s *Service) run(ctx context.Context, o *openCall, t target, c *clearance) {
	defer s.o.Open.remove(o.id)
	result, err := s.execute(ctx, o, t, c)
	if errors.Is(context.Cause(ctx), model.ErrStopping) && o.leave() {
		return
	}
	state, reason := verdict(context.Cause(ctx), err)
	if state == model.CallCancelled && o.snapshot().State == model.CallWaitingApproval {
		reason = &model.Error{Code: model.CodeNotSent, Message: reason.Message, Fix: reason.Fix, Err: reason}
	}
	call := o.settle(state, result, reason)
	err = s.record(call, c.pending())
	o.end(err == nil)
	if err != nil {
		s.recordLater(call, c.pending())
	}
}

// maxRights is how often one call waits for more rights. A server that wants another
// one each time would never come to an end.
const maxRights = 3

// execute runs a call that may run, and reads its result.
func (s *Service) execute(ctx context.Context, o *openCall, t target, c *clearance) (model.Result, error) {
	if t.local() {
		if _, err := s.ready(ctx, o, t, c); err != nil {
			return model.Result{}, err
		}
		return s.o.Local.Run(ctx, o.snapshot())
	}
	raw, err := s.send(ctx, o, t, c)
	if err != nil {
		return model.Result{}, err
	}
	return readResult(raw, s.o.Media)
}

// send connects and sends. A call is sent a second time only when the server
// is known not to have run it.
func (s *Service) send(ctx context.Context, o *openCall, t target, c *clearance) (json.RawMessage, error) {
	for again, waits := false, 0; ; {
		conn, err := s.ready(ctx, o, t, c)
		if err != nil {
			return nil, err
		}
		call := o.snapshot()
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

// ready finds a connection to the tool's server, and makes sure that the tool may
// be used. To ask the person takes its time: what they approved is held against what
// the tool is afterwards.
func (s *Service) ready(ctx context.Context, o *openCall, t target, c *clearance) (Conn, error) {
	if err := s.takeUp(ctx, o, c); err != nil {
		return nil, err
	}
	for {
		conn, now, err := s.connect(ctx, o, t, c != nil)
		if err != nil || c == nil {
			return conn, err
		}
		if asked, err := s.clear(ctx, o, now, c); err != nil || !asked {
			return conn, err
		}
	}
}

// connect returns the tool as it is once its server is connected. fresh has it looked
// up in any case.
func (s *Service) connect(ctx context.Context, o *openCall, t target, fresh bool) (Conn, target, error) {
	if t.local() {
		now, err := s.localTool(t.tool.Name, o.snapshot().Arguments)
		return nil, now, err
	}
	if !t.unlisted && !t.tool.Enabled {
		return nil, t, errDisabled(t.tool)
	}
	conn, err := s.o.Connect(ctx, t.tool.Server)
	if err != nil {
		return nil, t, unavailable(t.tool.Server, err)
	}
	if fresh || t.unlisted || t.tool.Saved {
		// The server has listed its tools by now.
		tool, err := s.o.Catalogue.Resolve(t.tool.FullName())
		if err != nil {
			return nil, t, err
		}
		if !tool.Enabled {
			return nil, t, errDisabled(tool)
		}
		t = target{tool: tool}
	}
	return conn, t, nil
}

// unsent tells whether the server is known not to have run the call.
func unsent(err error) bool {
	return errors.Is(err, wire.ErrNotSent) || errors.Is(err, wire.ErrSessionLost)
}

// record commits the settled call, also when Kontor stops because of it. It has no
// time limit: the store's queue may be long, and to leave it would not be shorter.
func (s *Service) record(call model.Call, decided *model.AuditEntry) (err error) {
	if decided != nil {
		err = s.o.Store.FinishDecidedCall(context.Background(), call, *decided)
	} else {
		err = s.o.Store.FinishCall(context.Background(), call)
	}
	if err != nil {
		s.o.Log.Error("a call's end can't be recorded", "call", call.ID, "state", call.State, "err", err)
	}
	return err
}

// recordLater tries again, for as long as Kontor runs: a disk may have been
// full. Until then the call is known from memory.
func (s *Service) recordLater(call model.Call, decided *model.AuditEntry) {
	const first, most = time.Second, 30 * time.Second
	for wait := first; ; wait = min(2*wait, most) {
		select {
		case <-time.After(wait):
		case <-s.base.Done():
			return
		}
		if err := s.record(call, decided); err == nil || model.CodeOf(err) == model.CodeConflict {
			return
		}
	}
}
