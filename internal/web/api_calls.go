package web

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

// maxWait bounds wait_ms, so that no connection is held for ever.
const maxWait = 10 * time.Minute

type callToolInput struct{ Body wire.ToolCall }

type callsInput struct {
	Server string `query:"server"`
	Tool   string `query:"tool"`
	State  string `query:"state" enum:"waiting_approval,running,waiting_input,done,failed,cancelled,rejected,unknown"`
	// Text, since a bool couldn't be left out.
	IsError   string `query:"is_error" enum:"true,false" doc:"Whether the tool said itself that it failed; such a call is done"`
	SessionID string `query:"session_id"`
	Limit     int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor    string `query:"cursor"`
}

type idInput struct {
	ID string `path:"id"`
}

// callOutput is one call, written by wire.AppendCall.
type callOutput struct{ Body func(huma.Context) }

func (*callOutput) shape() any { return wire.Call{} }

type callsOutput struct{ Body func(huma.Context) }

func (*callsOutput) shape() any { return wire.List[wire.Call]{} }

func (s *Server) callTool(ctx context.Context, in *callToolInput) (*callOutput, error) {
	wait := time.Duration(in.Body.WaitMS) * time.Millisecond
	if wait < 0 || wait > maxWait {
		return nil, model.Errorf(model.CodeInvalid, "wait_ms: use 0 to 600000")
	}
	arguments := in.Body.Arguments
	if bytes.Equal(bytes.TrimSpace(arguments), []byte("null")) {
		arguments = nil
	}
	call, err := s.o.Calls.Start(ctx, calls.Request{
		Name: in.Body.Name, Arguments: arguments, Asker: asker(ctx), SessionID: in.Body.Session,
	})
	if err != nil {
		return nil, err
	}
	if wait == 0 {
		return written(call, nil)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return written(s.o.Calls.Wait(ctx, call.ID))
}

// asker says who runs a tool through the API.
func asker(ctx context.Context) model.Asker {
	id := identityOf(ctx)
	if id.Kind == access.KindToken {
		return model.Asker{Kind: "token", Label: id.Label}
	}
	return model.Asker{Kind: "person"}
}

func (s *Server) getCall(ctx context.Context, in *idInput) (*callOutput, error) {
	return written(s.o.Calls.Get(ctx, in.ID))
}

func (s *Server) cancelCall(ctx context.Context, in *idInput) (*callOutput, error) {
	by := "you"
	if id := identityOf(ctx); id.Kind == access.KindToken {
		by = id.Label
	}
	return written(s.o.Calls.Cancel(ctx, in.ID, by))
}

func (s *Server) listCalls(ctx context.Context, in *callsInput) (*callsOutput, error) {
	var isError *bool
	if in.IsError != "" {
		isError = new(in.IsError == "true")
	}
	items, next, err := s.o.Calls.List(ctx, calls.Filter{
		Server: in.Server, Tool: in.Tool, State: model.CallState(in.State), IsError: isError,
		SessionID: in.SessionID, Limit: in.Limit, Cursor: in.Cursor,
		Brief: true, // a page of large results is megabytes that no list shows
	})
	if err != nil {
		return nil, err
	}
	return &callsOutput{func(c huma.Context) { writeJSON(c, wire.AppendCalls(nil, items, next)) }}, nil
}

func written(call model.Call, err error) (*callOutput, error) {
	if err != nil {
		return nil, err
	}
	return &callOutput{func(c huma.Context) {
		writeJSON(c, wire.AppendCall(make([]byte, 0, wire.CallSize(call)), call))
	}}, nil
}

func writeJSON(c huma.Context, body []byte) {
	c.SetHeader("Content-Type", jsonType)
	c.SetStatus(http.StatusOK)
	// A client that left has no use for an error.
	_, _ = c.BodyWriter().Write(body)
}
