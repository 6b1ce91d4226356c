package web

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"kontor.dev/kontor/internal/web/wire"
)

type toolsInput struct {
	Server string `query:"server"`
	Limit  int    `query:"limit" minimum:"1" maximum:"5000" default:"5000"`
	Cursor string `query:"cursor"`
}

type toolsOutput struct{ Body wire.List[wire.Tool] }

type callToolInput struct{ Body wire.ToolCall }

type callOutput struct {
	Body func(huma.Context)
}

func (*callOutput) shape() any { return wire.Call{} }

type callsInput struct {
	Server    string `query:"server"`
	Tool      string `query:"tool"`
	State     string `query:"state" enum:"waiting_approval,running,waiting_input,done,failed,cancelled,rejected,unknown"`
	SessionID string `query:"session_id"`
	Limit     int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor    string `query:"cursor"`
}

type callsOutput struct{ Body func(huma.Context) }

func (*callsOutput) shape() any { return wire.List[wire.Call]{} }

type idInput struct {
	ID string `path:"id"`
}

func (s *Server) listTools(context.Context, *toolsInput) (*toolsOutput, error)  { return nil, nil }
func (s *Server) callTool(context.Context, *callToolInput) (*callOutput, error) { return nil, nil }
func (s *Server) listCalls(context.Context, *callsInput) (*callsOutput, error)  { return nil, nil }
func (s *Server) getCall(context.Context, *idInput) (*callOutput, error)        { return nil, nil }
func (s *Server) cancelCall(context.Context, *idInput) (*callOutput, error)     { return nil, nil }
