package web

import (
	"context"

	"kontor.dev/kontor/internal/web/wire"
)

type traceInput struct {
	Name   string `path:"name"`
	CallID string `query:"call_id" doc:"Only the messages of one call"`
	Since  uint64 `query:"since" doc:"Only the messages after this seq"`
}

type traceOutput struct{ Body wire.Trace }

func (s *Server) serverTrace(_ context.Context, in *traceInput) (*traceOutput, error) {
	entries, dropped := s.o.Logs.TraceOf(in.Name)
	if _, err := s.o.Servers.Get(in.Name); err != nil && len(entries) == 0 {
		return nil, err
	}
	trace := wire.Trace{Items: []wire.TraceEntry{}, Dropped: dropped}
	for _, e := range entries {
		if e.Seq > in.Since && (in.CallID == "" || e.CallID == in.CallID) {
			trace.Items = append(trace.Items, wire.TraceEntryOf(e))
		}
	}
	return &traceOutput{trace}, nil
}
