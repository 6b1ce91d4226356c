package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

const (
	pollEvery = 50 * time.Millisecond
	// callWait is in milliseconds; the suite itself ends a scenario after 30 s.
	callWait = 28_000
)

// server is the scenario's mock as a server of Kontor's.
type server struct {
	api
	name string
}

// status is how far the connection came.
type status struct {
	State           string
	ProtocolVersion string                          `json:"protocol_version"`
	LastError       *struct{ Code, Message string } `json:"last_error"`
}

// add saves the server; Kontor connects to it in the background.
func (s server) add(ctx context.Context, url string, oauth map[string]any) error {
	return s.post(ctx, "/api/servers", map[string]any{"name": s.name, "url": url, "oauth": oauth}, nil)
}

func (s server) remove(ctx context.Context) error {
	return s.do(ctx, http.MethodDelete, "/api/servers/"+s.name, nil, nil)
}

// ready waits for the connection, and holds it against the revision of the run.
func (s server) ready(ctx context.Context, version string) error {
	for {
		var got struct{ Status status }
		if err := s.get(ctx, "/api/servers/"+s.name, &got); err != nil {
			return err
		}
		switch st := got.Status; {
		case st.State == "ready" && st.ProtocolVersion != version:
			return fmt.Errorf("both sides speak %s, want %s", st.ProtocolVersion, version)
		case st.State == "ready":
			return nil
		case st.State == "failed":
			return fmt.Errorf("the server is not ready: %+v", st.LastError)
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-time.After(pollEvery):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tool is an entry of the catalogue.
type tool struct {
	Name, Tool  string
	InputSchema json.RawMessage `json:"input_schema"`
}

// tools are the server's, by their own names.
func (s server) tools(ctx context.Context) (map[string]tool, error) {
	var list struct{ Items []tool }
	if err := s.get(ctx, of("/api/tools", s.name), &list); err != nil {
		return nil, err
	}
	tools := map[string]tool{}
	for _, t := range list.Items {
		tools[t.Tool] = t
	}
	return tools, nil
}

// call runs a tool and answers the text of its result.
func (s server) call(ctx context.Context, name string, arguments any) (string, error) {
	tools, err := s.tools(ctx)
	if err != nil {
		return "", err
	}
	t, listed := tools[name]
	if !listed {
		return "", fmt.Errorf("%s is not in the catalogue", name)
	}
	var got struct {
		State   string
		Result  any
		IsError bool `json:"is_error"`
		Error   *struct{ Code, Message string }
	}
	request := map[string]any{"name": t.Name, "arguments": arguments, "wait_ms": callWait}
	if err := s.post(ctx, "/api/tools/call", request, &got); err != nil {
		return "", err
	}
	if got.State != "done" || got.IsError {
		return "", fmt.Errorf("%s is %s: %+v, %v", name, got.State, got.Error, got.Result)
	}
	text, _ := got.Result.(string)
	return text, nil
}

// answers accepts the server's questions until ctx ends. It gives no content: what
// an answer leaves out, Kontor fills in with the schema's defaults.
func (s server) answers(ctx context.Context) error {
	for ctx.Err() == nil {
		var inbox struct{ Elicitations []struct{ ID, Server string } }
		if err := s.get(ctx, "/api/inbox", &inbox); err != nil {
			return err
		}
		for _, e := range inbox.Elicitations {
			if e.Server != s.name {
				continue // another driver's
			}
			answer := map[string]any{"action": "accept", "content": map[string]any{}}
			if err := s.post(ctx, "/api/inbox/elicitations/"+e.ID+"/resolve", answer, nil); err != nil {
				return err
			}
		}
		_ = pause(ctx) // the loop's condition
	}
	return ctx.Err()
}
