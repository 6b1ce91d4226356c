package client

import (
	"context"
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/tools/txtar"

	"kontor.dev/kontor/internal/mcp/wire"
)

// said are the messages that servers send in the transcripts.
func said(f *testing.F) (messages []string) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatal("no transcripts", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, step := range lines(section(archive, "wire")) {
			if verb, message, ok := strings.Cut(step, " {"); ok && !strings.HasPrefix(verb, ">") {
				messages = append(messages, "{"+message)
			}
		}
	}
	return messages
}

// Whatever a server sends, and on whichever stream, the connection stays up and
// ends in bounds.
func FuzzReceive(f *testing.F) {
	for _, message := range said(f) {
		f.Add([]byte(message), "")
		f.Add([]byte(message), "2")
	}
	f.Fuzz(func(t *testing.T, raw []byte, stream string) {
		m, err := wire.Parse(raw)
		if err != nil {
			return
		}
		s := newScripted(nil)
		c := connect(t, s, Handlers{
			Elicit: func(ctx context.Context, _ Question) (Answer, error) { return Answer{Action: "decline"}, nil },
			Note:   func(wire.Note) {}, Notification: func(string, json.RawMessage) {}, Missed: func() {}, Trace: func(TraceEvent) {},
		})
		ctx, cancel := context.WithCancel(t.Context())
		called := make(chan struct{})
		sent := make(chan struct{})
		go func() {
			defer close(called)
			_, _ = c.CallTool(ctx, ToolCall{CallID: "c", Name: "x", OnProgress: func(Progress) {}, OnSent: func() { close(sent) }})
		}()
		<-sent
		s.receiver.Message(wire.Incoming{Message: m, Stream: stream})
		cancel()
		<-called
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// What a server says of itself is read whatever it looks like.
func FuzzHandshake(f *testing.F) {
	for _, message := range said(f) {
		if m, err := wire.Parse([]byte(message)); err == nil && m.Kind() == wire.Response {
			f.Add([]byte(m.Result))
			f.Add([]byte(m.Error))
		}
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := wire.Parse(raw)
		if err != nil {
			return
		}
		readDiscover(m.Raw)
		if info, err := readInitialize(newestLegacy, m.Raw); err == nil && info.ProtocolVersion == "" {
			t.Errorf("%s: no version", raw)
		}
		if v := judgeDiscover(m.Raw, nil, true); v.step != stepFail && v.version == "" {
			t.Errorf("%s: go on with no version", raw)
		}
		judgeInitialize(&wire.Error{Code: wire.CodeInvalidParams, Data: m.Raw})
		nextCursor(m.Raw)
		Filter{Tools: true, URIs: []string{"a"}}.agreed(m.Raw)
		if q, refusal := readQuestion(m.Raw, nil); refusal == nil && q.Mode == "form" && !json.Valid(q.Schema) {
			t.Errorf("%s: the schema %s", raw, q.Schema)
		}
	})
}

// A tool's schema and the arguments of a call never make a header that no header
// may be.
func FuzzToolHeaders(f *testing.F) {
	f.Add([]byte(`{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}`), []byte(`{"a":"é\n"}`))
	f.Add([]byte(`{"properties":{"a":{"type":"integer","x-mcp-header":"A-1"}}}`), []byte(`{"a":1e2}`))
	f.Add([]byte(`{"properties":{"o":{"properties":{"b":{"type":"boolean","x-mcp-header":"B"}}}}}`), []byte(`{"o":{"b":true}}`))
	f.Add([]byte(`{"items":{"x-mcp-header":"A"}}`), []byte(`{}`))
	f.Add([]byte(`{"properties":{"a":{"type":"string","x-mcp-header":" "}}}`), []byte(`{"a":"=?base64?x?="}`))
	f.Fuzz(func(t *testing.T, schema, arguments []byte) {
		if _, err := wire.Parse(schema); err != nil {
			return
		}
		if m, err := wire.Parse(arguments); err != nil || m.Raw[0] != '{' {
			return
		}
		rules, err := readAnnotations(schema)
		if err != nil {
			return
		}
		h, err := mirror(rules, arguments)
		if err != nil {
			return
		}
		for name, values := range h {
			if !httpguts.ValidHeaderFieldName(name) || http.CanonicalHeaderKey(name) != name || len(values) != 1 || !httpguts.ValidHeaderFieldValue(values[0]) {
				t.Errorf("the header %q: %q", name, values)
			}
		}
	})
}
