package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"kontor.dev/kontor/internal/agent/outcome"
	"kontor.dev/kontor/internal/model"
)

// The built-in tools, by their names to a model.
const (
	toolActivate   = "activate_tools"
	toolSearch     = "search_tools"
	toolAsk        = "ask_user"
	toolNotify     = "notify"
	toolDispatch   = "dispatch_agent"
	toolResource   = "read_resource"
	toolPrompt     = "get_prompt"
	toolReadResult = "read_result"
)

// builtin is a tool of the agent's own: it runs here, and no call is recorded.
type builtin struct {
	name, description string
	schema            json.RawMessage
	// run's error is for the model to read, like anything that a tool can't do.
	run func(ctx context.Context, w *work, use model.ChatPart) (reply, error)
}

// builtins are those that a frame has now. The words are short: they cost in each
// request.
func builtins(w *work, groups []group) []builtin {
	list := []builtin{activateTool(), searchTool(), askTool(), notifyTool(), resultTool()}
	if w.frame.Depth < maxDepth {
		list = append(list, dispatchTool(w.t.s.o.Agents.List()))
	}
	for _, g := range groups {
		if g.Active && g.Name != model.GroupConfig {
			return append(list, resourceTool(), promptTool())
		}
	}
	return list
}

// arguments reads a use's arguments; fields that aren't known are an error, so that a
// model learns of its slip.
func arguments[T any](use model.ChatPart) (T, error) {
	var in T
	d := json.NewDecoder(bytes.NewReader(use.Arguments))
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil {
		return in, model.Errorf(model.CodeInvalid, "The arguments don't fit %s: %v. It was not run.", use.Name, err)
	}
	return in, nil
}

// text is a tool's answer.
func text(format string, args ...any) reply { return reply{text: fmt.Sprintf(format, args...)} }

// cut is a text as a model gets it: one over the budget is kept as a file, which
// read_result reads on.
func (s *Service) cut(said string) (reply, error) {
	call := model.Call{State: model.CallDone, Result: model.Result{Type: model.ResultString, Text: said}}
	if len(said) > outcome.DefaultBudget {
		m, err := s.o.Media.Put([]byte(said), "text/plain")
		if err != nil {
			return reply{}, err
		}
		call.ID = m.File
	}
	r := outcome.Render(call, outcome.Options{})
	return reply{text: r.Text, cut: r.Cut}, nil
}

// resultTool reads on in what was cut.
func resultTool() builtin {
	return builtin{
		name:        toolReadResult,
		description: "Reads part of a long result that was cut, by the id that the cut names.",
		schema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},` +
			`"from":{"type":"integer","description":"first byte"},"to":{"type":"integer","description":"byte to stop before"}},"required":["id"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct {
				ID       string `json:"id"`
				From, To int
			}](use)
			if err != nil {
				return reply{}, err
			}
			w.t.s.reading.Lock()
			defer w.t.s.reading.Unlock()
			call, err := w.t.s.kept(ctx, w.frame.SessionID, in.ID)
			if err != nil {
				return reply{}, err
			}
			return text("%s", outcome.Range(outcome.Text(call), in.From, in.To)), nil
		},
	}
}

// kept finds what a cut names: a call of this chat, or a text that was kept as a
// file.
func (s *Service) kept(ctx context.Context, sessionID, id string) (model.Call, error) {
	call, err := s.o.Calls.Get(ctx, id)
	if err == nil && call.SessionID == sessionID {
		return call, nil
	}
	f, err := s.o.Media.Open(id)
	if err != nil {
		return model.Call{}, model.Errorf(model.CodeNotFound, "There is no result %q in this chat.", clip(id, 100))
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return model.Call{}, err
	}
	return model.Call{ID: id, State: model.CallDone, Result: model.Result{Type: model.ResultString, Text: string(data)}}, nil
}
