//go:build real

package real

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// The reference server that has everything, on the TypeScript SDK v1 (2025-11-25).
func TestServerEverything(t *testing.T) {
	t.Parallel()
	for transport, config := range map[string]func(*testing.T) kontor.Config{
		"stdio":           everythingStdio,
		"streamable HTTP": everythingHTTP,
	} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			k := kontor.Start(t, kontor.Options{})
			s := k.AddReady("everything", config(t))
			if s.Status.Era != "legacy" || s.Status.ProtocolVersion != "2025-11-25" || s.Status.ServerName != "mcp-servers/everything" {
				t.Errorf("got %+v, want the older era", s.Status)
			}
			everyTool(t, k, "everything", append(everythingRuns(), everythingQuestions()...), map[string]string{
				"simulate-research-query": "it can be run as a task only, and Kontor runs no tasks yet",
			})
			t.Run("environment", func(t *testing.T) { everythingEnvironment(t, k, transport) })
			t.Run("session resource", func(t *testing.T) { everythingSessionResource(t, k) })
			t.Run("link before the call", func(t *testing.T) { everythingLinkFirst(t, k) })
			t.Run("prompts", func(t *testing.T) { everythingPrompts(t, k) })
			t.Run("resources", func(t *testing.T) { everythingResources(t, k) })
			t.Run("completion", func(t *testing.T) { everythingCompletion(t, k) })
		})
	}
}

func everythingStdio(t *testing.T) kontor.Config {
	return node(t, everything, "stdio").With("env", map[string]any{"GREETING": "hello"})
}

func everythingHTTP(t *testing.T) kontor.Config {
	port := freePort(t)
	cmd := exec.Command("node", script(t, everything), "streamableHttp")
	cmd.Env = append(os.Environ(), "PORT="+port)
	startHTTP(t, "listening on port "+port, cmd)
	return kontor.Config{"url": "http://127.0.0.1:" + port + "/mcp"}
}

func everythingRuns() []run {
	return []run{
		{tool: "echo", arguments: `{"message": "Grüße, 漢字 <b>"}`, text: "Echo: Grüße, 漢字 <b>"},
		{tool: "get-sum", arguments: `{"a": 0.1, "b": 41.9}`, text: "The sum of 0.1 and 41.9 is 42."},
		{tool: "get-structured-content", arguments: `{"location": "Chicago"}`,
			json: `{"temperature":36,"conditions":"Light rain / drizzle","humidity":82}`},
		{tool: "get-tiny-image", check: tinyImage},
		{tool: "get-annotated-message", arguments: `{"messageType": "error", "includeImage": true}`, check: annotated},
		{tool: "get-resource-links", arguments: `{"count": 2}`, check: links},
		{tool: "get-resource-reference", arguments: `{"resourceType": "Blob", "resourceId": 7}`, check: reference},
		{tool: "gzip-file-as-resource", arguments: `{"name": "hi.gz", "data": "data:text/plain,hi%20there", "outputType": "resource"}`, check: gzipped},
		{tool: "trigger-long-running-operation", arguments: `{"duration": 0.3, "steps": 3}`,
			text: "Long running operation completed. Duration: 0.3 seconds, Steps: 3.", check: progressed},
		{tool: "toggle-simulated-logging", check: begins("Started simulated, random-leveled logging for session ")},
		{tool: "toggle-simulated-logging", check: begins("Stopped simulated logging for session ")},
		{tool: "toggle-subscriber-updates", check: begins("Started simulated resource updated notifications for session ")},
		{tool: "toggle-subscriber-updates", check: begins("Stopped simulated resource updates for session ")},
		{tool: "get-env", check: begins(`{`)},
		{tool: "get-sum", arguments: `{"a": "one"}`, isError: true, check: begins("MCP error -32602: Input validation error")},
	}
}

func begins(text string) func(*testing.T, *kontor.Kontor, kontor.Call) {
	return func(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
		if got := c.Text(); !strings.HasPrefix(got, text) {
			t.Errorf("got %q, want it to begin with %q", got, text)
		}
	}
}

func tinyImage(t *testing.T, k *kontor.Kontor, c kontor.Call) {
	if got, want := kinds(c), []string{"text", "image", "text"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if c.Content[0].Text != "Here's the image you requested:" || c.Content[2].Text != "The image above is the MCP logo." {
		t.Errorf("got the texts %q and %q", c.Content[0].Text, c.Content[2].Text)
	}
	if len(c.Media) != 1 || *c.Content[1].Media != c.Media[0] || c.Media[0].MIMEType != "image/png" {
		t.Fatalf("got the media %+v", c.Media)
	}
	file := k.Bytes(c.Media[0])
	if got := file.Header.Get("Content-Type"); got != "image/png" || int64(len(file.Body)) != c.Media[0].Size {
		t.Errorf("the file is %s of %d bytes, want image/png of %d", got, len(file.Body), c.Media[0].Size)
	}
	if !bytes.Equal(file.Body, tinyImageBytes(t)) {
		t.Error("the file isn't the picture that is in the server's source")
	}
	if want := "](" + c.Media[0].URL + ")"; !strings.Contains(c.Text(), want) {
		t.Errorf("the text %q has no link to %s", c.Text(), c.Media[0].URL)
	}
}

// tinyImageBytes reads the picture from the server's source. (It is no valid PNG:
// a checksum in it is wrong.)
func tinyImageBytes(t *testing.T) []byte {
	t.Helper()
	source, err := os.ReadFile(script(t, filepath.Join(filepath.Dir(everything), "tools", "get-tiny-image.js")))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`MCP_TINY_IMAGE = "([^"]+)"`).FindSubmatch(source)
	if found == nil {
		t.Fatal("the server's source has no picture")
	}
	picture, err := base64.StdEncoding.DecodeString(string(found[1]))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func annotated(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
	if got, want := kinds(c), []string{"text", "image"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i, want := range []string{`{"audience":["user","assistant"],"priority":1}`, `{"audience":["user"],"priority":0.5}`} {
		if got := string(c.Content[i].Annotations); got != want {
			t.Errorf("block %d has the annotations %s, want %s", i, got, want)
		}
	}
}

func links(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
	if got, want := kinds(c), []string{"text", "link", "link"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	for i, want := range []string{"demo://resource/dynamic/blob/1", "demo://resource/dynamic/text/2"} {
		if got := c.Content[i+1]; got.URI != want || got.MIMEType != "text/plain" {
			t.Errorf("link %d is %s %s, want %s text/plain", i, got.URI, got.MIMEType, want)
		}
	}
}

func reference(t *testing.T, k *kontor.Kontor, c kontor.Call) {
	if got, want := kinds(c), []string{"text", "resource", "text"}; !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	block := c.Content[1]
	if block.URI != "demo://resource/dynamic/blob/7" || block.MIMEType != "text/plain" || block.Media == nil {
		t.Fatalf("got %+v", block)
	}
	if got := string(k.Bytes(*block.Media).Body); !strings.HasPrefix(got, "Resource 7: This is a base64 blob created at ") {
		t.Errorf("the file holds %q", got)
	}
}

func gzipped(t *testing.T, k *kontor.Kontor, c kontor.Call) {
	if len(c.Content) != 1 || c.Content[0].Kind != "resource" || c.Content[0].MIMEType != "application/gzip" || c.Content[0].Media == nil {
		t.Fatalf("got %+v", c.Content)
	}
	unzips(t, k.Bytes(*c.Content[0].Media).Body)
}

func unzips(t *testing.T, data []byte) {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != "hi there" {
		t.Errorf("it unzips to %q, %v", got, err)
	}
}

func progressed(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
	if c.Progress == nil || c.Progress.Progress != "3" || c.Progress.Total != "3" {
		t.Errorf("the last progress is %+v, want 3 of 3", c.Progress)
	}
}

// everythingEnvironment: over stdio the server sees what Kontor lets it see.
func everythingEnvironment(t *testing.T, k *kontor.Kontor, transport string) {
	var seen map[string]string
	if err := json.Unmarshal([]byte(k.Call("mcp__everything__get-env", `{}`).Text()), &seen); err != nil {
		t.Fatal(err)
	}
	if transport != "stdio" {
		return // it isn't Kontor's child
	}
	if seen["GREETING"] != "hello" {
		t.Errorf("GREETING is %q, want hello", seen["GREETING"])
	}
	for name := range seen {
		if !slices.Contains([]string{"GREETING", "HOME", "PATH", "TMPDIR", "LANG", "USER"}, name) {
			t.Errorf("the server sees %s", name)
		}
	}
}

// everythingSessionResource reads what a tool only answered a link to.
func everythingSessionResource(t *testing.T, k *kontor.Kontor) {
	c := k.Call("mcp__everything__gzip-file-as-resource", `{"name": "later.gz", "data": "data:text/plain,hi%20there"}`)
	if len(c.Content) != 1 || c.Content[0].Kind != "link" {
		t.Fatalf("got %+v, want a link", c.Content)
	}
	got := readResource(t, k, "everything", c.Content[0].URI)
	if len(got) != 1 || got[0].Media == nil {
		t.Fatalf("got %+v, want a file", got)
	}
	unzips(t, k.Bytes(*got[0].Media).Body)
}

func everythingPrompts(t *testing.T, k *kontor.Kontor) {
	got := getPrompt(t, k, map[string]any{"server": "everything", "name": "args-prompt", "arguments": map[string]string{"city": "Basel", "state": "BS"}})
	if len(got) != 1 || got[0].Role != "user" || got[0].Content.Text != "What's weather in Basel, BS?" {
		t.Errorf("got %+v", got)
	}
	got = getPrompt(t, k, map[string]any{"server": "everything", "name": "resource-prompt", "arguments": map[string]string{"resourceType": "Text", "resourceId": "3"}})
	if len(got) != 2 || got[1].Content.Kind != "resource" || got[1].Content.URI != "demo://resource/dynamic/text/3" {
		t.Errorf("got %+v", got)
	}
}

var created = regexp.MustCompile(`^Resource 5: This is a plaintext resource created at .+$`)

func everythingResources(t *testing.T, k *kontor.Kontor) {
	got := readResource(t, k, "everything", "demo://resource/dynamic/text/5")
	if len(got) != 1 || got[0].MIMEType != "text/plain" || !created.MatchString(got[0].Text) {
		t.Errorf("got %+v", got)
	}
}

func everythingCompletion(t *testing.T, k *kontor.Kontor) {
	got := complete(t, k, `{"server": "everything", "ref": {"type": "prompt", "name": "completable-prompt"},
		"argument": {"name": "name", "value": "E"}, "context": {"department": "Sales"}}`)
	if want := []string{"Eve"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
