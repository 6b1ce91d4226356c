package kontor

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// Call is one tool run. Arguments, Result and Structured are the bytes that the API
// answered with.
type Call struct {
	ID, Name, Server, Tool, State string
	Arguments                     json.RawMessage
	ResultType                    string `json:"result_type"`
	Result, Structured            json.RawMessage
	Content                       []Content
	IsError                       bool `json:"is_error"`
	Media                         []Media
	Error                         *Error
	Progress                      *struct {
		Progress, Total json.Number
		Message         string
	}
	EndedAt *string `json:"ended_at"`
}

// Content is one block of a result.
type Content struct {
	Kind, Text, URI, Name, Problem string
	MIMEType                       string `json:"mime_type"`
	Media                          *Media
	Annotations, Raw               json.RawMessage
}

// Media is a file of a result.
type Media struct {
	File, URL string
	MIMEType  string `json:"mime_type"`
	Size      int64
}

// Text is a result of type string.
func (c Call) Text() string {
	var text string
	if json.Unmarshal(c.Result, &text) != nil {
		return ""
	}
	return text
}

// Settled tells whether the call has ended.
func (c Call) Settled() bool {
	return c.State != "running" && c.State != "waiting_input" && c.State != "waiting_approval"
}

// Call runs a tool (mcp__server__tool) with arguments that are sent byte for byte,
// and waits until it has ended.
func (k *Kontor) Call(name, arguments string) Call {
	k.t.Helper()
	return k.AwaitCall(k.StartCall(name, arguments).ID, "settled", Call.Settled)
}

// StartCall runs a tool and doesn't wait.
func (k *Kontor) StartCall(name, arguments string) Call {
	k.t.Helper()
	var c Call
	// By hand: the encoder would write the arguments anew.
	body := fmt.Sprintf(`{"name": %q, "arguments": %s}`, name, arguments)
	k.Post("/api/tools/call", json.RawMessage(body), &c)
	return c
}

// GetCall reads a call.
func (k *Kontor) GetCall(id string) Call {
	k.t.Helper()
	var c Call
	k.Get("/api/calls/"+id, &c)
	return c
}

// AwaitCall waits until a call is as it should be; words say how that is.
func (k *Kontor) AwaitCall(id, words string, ok func(Call) bool) Call {
	k.t.Helper()
	var c Call
	if !polled(Patience, func() bool { c = k.GetCall(id); return ok(c) }) {
		k.t.Fatalf("%s is not %s within %s, but %s: %+v; the server's log:\n%s", c.Name, words, Patience, c.State, c, k.Log(c.Server))
	}
	return c
}

// Bytes reads a media file.
func (k *Kontor) Bytes(m Media) Answer {
	k.t.Helper()
	got, err := k.As(Token).Do(http.MethodGet, m.URL, nil)
	if err != nil || got.Status != http.StatusOK {
		k.t.Fatalf("media %s: status %d, %v", m.URL, got.Status, err)
	}
	return got
}
