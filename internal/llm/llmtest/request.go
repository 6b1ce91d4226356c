package llmtest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm"
)

// Long is a conversation with everything in it that a request may have.
func Long() llm.Request {
	png := llm.Image{MIME: "image/png", Bytes: PNG(1, 1)}
	r := Hello()
	r.MaxTokens = 500
	r.Tools[0].Schema = json.RawMessage(`{"type":"object","properties":{"zone":{"type":"string"},"city":{"type":"string"},"n":{"maximum":12345678901234567890}},"required":["city"]}`)
	r.Messages = []llm.Message{
		{Role: llm.User, Parts: []llm.Part{llm.Text{Text: "What's <this> & \"that\"?"}, png}},
		{Role: llm.Assistant, Parts: []llm.Part{
			llm.Reasoning{Text: "hm", Signature: "sealed"}, llm.Reasoning{Text: "somebody else's"},
			llm.Text{Text: "Let me look."},
			llm.ToolCall{ID: "call_1", Name: "weather", Arguments: json.RawMessage(Arguments)},
			llm.ToolCall{ID: "odd|id:2", Name: "clock", Arguments: json.RawMessage("{}"), Fault: "broken"},
		}},
		{Role: llm.FromTool, Parts: []llm.Part{
			llm.ToolResult{CallID: "call_1", Parts: []llm.Part{llm.Text{Text: "sunny"}, png}},
		}},
		{Role: llm.FromTool, Parts: []llm.Part{
			llm.ToolResult{CallID: "odd|id:2", IsError: true, Parts: []llm.Part{llm.Text{Text: "broken"}}},
		}},
		{Role: llm.User, Parts: []llm.Part{llm.Image{MIME: "image/tiff", Bytes: []byte("TIFF")}, llm.Text{Text: "And now?"}}},
	}
	return r
}

// PNG is the beginning of a picture of that size: enough to know both by.
func PNG(width, height uint32) []byte {
	b := []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR")
	b = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, width), height)
	b = append(b, 8, 0, 0, 0, 0)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
}

// request compares what goes out for Long with testdata/request.json, which says
// it all: key order and exact numbers count.
func (d Dialect) request(t *testing.T) {
	var body []byte
	var header http.Header
	var path string
	p := d.serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ = io.ReadAll(r.Body)
		header, path = r.Header.Clone(), r.URL.Path+"?"+r.URL.RawQuery
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(recording(t, Text))
	}, 0)
	if o := Collect(t.Context(), p, Long()); o.Err != nil {
		t.Fatal(o.Err)
	}
	if path != d.Path+"?" {
		t.Errorf("got a request to %s, want %s", path, d.Path)
	}
	if all := strings.Join(header["Authorization"], "") + strings.Join(header["X-Api-Key"], ""); strings.Count(all, Canary) != 1 {
		t.Errorf("the key was sent %d times, want once", strings.Count(all, Canary))
	}
	if bytes.Contains(body, []byte(Canary)) {
		t.Error("the key is in the body")
	}
	var got bytes.Buffer
	if err := json.Indent(&got, body, "", "  "); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "request.json")
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(got.String()) != strings.TrimSpace(string(want)) {
		t.Errorf("the request is not %s but:\n%s", golden, got.String())
	}
}
