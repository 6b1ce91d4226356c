package web

import (
	"context"
	"encoding/json"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

type completeInput struct{ Body wire.Complete }

type completeOutput struct{ Body wire.Completion }

func (s *Server) complete(ctx context.Context, in *completeInput) (*completeOutput, error) {
	conn, err := s.o.Servers.Conn(ctx, in.Body.Server)
	if err != nil {
		return nil, err
	}
	ref := map[string]string{"type": "ref/" + in.Body.Ref.Type}
	if in.Body.Ref.Type == "prompt" {
		ref["name"] = in.Body.Ref.Name
	} else {
		ref["uri"] = in.Body.Ref.URI
	}
	params := map[string]any{"ref": ref, "argument": in.Body.Argument}
	if len(in.Body.Context) > 0 {
		params["context"] = map[string]any{"arguments": in.Body.Context}
	}
	sent, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	raw, err := conn.Complete(ctx, sent)
	if err != nil {
		return nil, err
	}
	var result struct {
		Completion struct {
			Values  []string `json:"values"`
			Total   *int64   `json:"total"`
			HasMore bool     `json:"hasMore"`
		} `json:"completion"`
	}
	if json.Unmarshal(raw, &result) != nil {
		return nil, model.Errorf(model.CodeProtocol, "the server's answer isn't a list of suggestions")
	}
	c := result.Completion
	return &completeOutput{wire.Completion{Values: append([]string{}, c.Values...), Total: c.Total, HasMore: c.HasMore}}, nil
}
