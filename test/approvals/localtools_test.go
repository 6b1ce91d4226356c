package approvals

import (
	"context"
	"encoding/json"
	"sync"

	"kontor.dev/kontor/internal/model"
)

// localTools are two of Kontor's own: one that changes the machine and one that reads.
type localTools struct {
	mu  sync.Mutex
	ran []string
}

func (l *localTools) Tool(name string, _ json.RawMessage) (model.Tool, bool, bool) {
	t := model.Tool{Server: model.GroupConfig, Name: name, Enabled: true}
	if name == "list" {
		t.Annotations = json.RawMessage(`{"readOnlyHint":true}`)
	}
	return t, name == "register", name == "register" || name == "list"
}

func (l *localTools) Run(_ context.Context, call model.Call) (model.Result, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ran = append(l.ran, call.Tool)
	return model.Result{Type: model.ResultString, Text: "changed"}, nil
}
