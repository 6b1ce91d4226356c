package calls

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
)

// maxArguments is the largest arguments object, what a line over stdio may hold.
const maxArguments = 16 << 20

// target is the tool that a request names. Unlisted tools belong to a server
// whose tools are not known yet: they are looked up once it is connected.
type target struct {
	tool     model.Tool
	unlisted bool
	// alwaysAsk is set for local tools that change what this machine runs.
	alwaysAsk bool
}

// local tells whether it is a tool of Kontor's own.
func (t target) local() bool { return t.tool.Server == model.GroupConfig }

// resolve finds the tool of a request.
func (s *Service) resolve(r Request) (target, error) {
	name := r.Name
	if name == "" {
		name = model.ToolName(r.Server, r.Tool)
	}
	tool, err := s.o.Catalogue.Resolve(name)
	if err == nil {
		return target{tool: tool}, nil
	}
	server, own, ok := model.SplitToolName(name)
	if ok && server == model.GroupConfig {
		return s.localTool(own, r.Arguments)
	}
	if !ok || s.o.Catalogue.Listed(server) {
		return target{}, err
	}
	if _, unknown := s.o.Server(server); unknown != nil {
		return target{}, err
	}
	return target{tool: model.Tool{Server: server, Name: own}, unlisted: true}, nil
}

// Subject is a request as the policy sees it, which nothing comes of. The tool need
// not exist: a rule may be for one that comes later.
func (s *Service) Subject(r Request) (model.PolicySubject, error) {
	arguments, err := checkArguments(r.Arguments)
	if err != nil {
		return model.PolicySubject{}, err
	}
	t, err := s.resolve(r)
	if err != nil {
		server, own, ok := model.SplitToolName(r.Name)
		if !ok {
			return model.PolicySubject{}, model.Errorf(model.CodeInvalid, "name: use mcp__<server>__<tool>")
		}
		t = target{tool: model.Tool{Server: server, Name: own, Enabled: true}}
	}
	return s.subject(newCall(r, t, arguments), t), nil
}

func (s *Service) localTool(name string, arguments json.RawMessage) (target, error) {
	if s.o.Local != nil {
		if tool, alwaysAsk, ok := s.o.Local.Tool(name, arguments); ok {
			return target{tool: tool, alwaysAsk: alwaysAsk}, nil
		}
	}
	return target{}, model.Errorf(model.CodeNotFound, "Kontor has no tool %q of its own", name)
}

// newCall is the row of a request.
func newCall(r Request, t target, arguments json.RawMessage) model.Call {
	id := r.ID
	if id == "" {
		id = uuid.Must(uuid.NewV7()).String()
	}
	return model.Call{
		ID:        id,
		Server:    t.tool.Server,
		Tool:      t.tool.Name,
		Arguments: arguments,
		State:     model.CallRunning,
		Asker:     r.Asker,
		SessionID: r.SessionID,
		Agent:     r.Agent,
		StartedAt: time.Now().UTC(),
	}
}

// checkArguments returns the object to send. Errors never repeat what was given:
// it may hold a secret.
func checkArguments(raw json.RawMessage) (json.RawMessage, error) {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return json.RawMessage("{}"), nil
	case len(raw) > maxArguments:
		return nil, model.Errorf(model.CodeTooLarge, "arguments of %s are over the limit of %s",
			media.Size(int64(len(raw))), media.Size(maxArguments))
	case raw[0] != '{' || !json.Valid(raw):
		return nil, model.Errorf(model.CodeInvalid, "arguments must be a JSON object")
	}
	return raw, nil
}
