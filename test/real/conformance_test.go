//go:build real

package real

import (
	"bytes"
	"encoding/base64"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// The Go SDK's everything-server, which its conformance tests run against.
func TestGoConformanceServer(t *testing.T) {
	t.Parallel()
	binary := kontor.Build(t, conformance)
	k := kontor.Start(t, kontor.Options{})
	k.Add("stdio", kontor.Config{"command": binary})
	k.Add("http", conformanceHTTP(t, binary))
	k.Add("sessions", conformanceHTTP(t, binary, "-stateless=false"))
	for _, server := range []string{"stdio", "http"} {
		t.Run(server, func(t *testing.T) {
			s := k.AwaitState(server, "ready")
			if s.Status.Era != "modern" || s.Status.ProtocolVersion != "2026-07-28" || s.Status.ServerName != "mcp-conformance-test-server" {
				t.Errorf("got %+v, want the newer era", s.Status)
			}
			everyTool(t, k, server, slices.Concat(conformanceRuns(), conformanceRounds(), conformanceRefused()), nil)
			t.Run("prompt that asks", func(t *testing.T) { promptThatAsks(t, k, server) })
			t.Run("resources", func(t *testing.T) { conformanceResources(t, k, server) })
		})
	}
	// With sessions the server serves the older era alone.
	t.Run("sessions", func(t *testing.T) {
		if s := k.AwaitState("sessions", "ready"); s.Status.Era != "legacy" || s.Status.ProtocolVersion != "2025-11-25" {
			t.Errorf("got %+v, want the older era", s.Status)
		}
		for _, r := range conformanceSessions() {
			t.Run(r.tool, func(t *testing.T) { r.on(t, k, "sessions") })
		}
		t.Run("cut stream", func(t *testing.T) { cutStream(t, k) })
	})
}

func conformanceHTTP(t *testing.T, binary string, flags ...string) kontor.Config {
	t.Helper()
	address := "127.0.0.1:" + freePort(t)
	startHTTP(t, "listening at "+address, exec.Command(binary, append(flags, "-http", address)...))
	return kontor.Config{"url": "http://" + address + "/"}
}

func conformanceRuns() []run {
	return []run{
		{tool: "test_simple_text", text: "This is a simple text response for testing."},
		{tool: "test_image_content", check: holdsFile("image", "image/png", redPixel)},
		{tool: "test_audio_content", check: holdsFile("audio", "audio/wav", silence)},
		{tool: "test_embedded_resource", text: "This is an embedded resource"},
		{tool: "test_multiple_content_types", check: func(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
			if got, want := kinds(c), []string{"text", "image", "resource"}; !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}},
		{tool: "test_tool_with_logging", text: "Tool with logging executed successfully", check: logged("Tool processing data")},
		{tool: "test_logging_tool", text: "Log attempted; framework gates on _meta.../logLevel.", check: logged("test_logging_tool executed")},
		{tool: "test_tool_with_progress", check: func(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
			if c.Text() == "<nil>" || c.Progress == nil || c.Progress.Progress != "100" || c.Progress.Message != "Completed step 100 of 100" {
				t.Errorf("token %s, progress %+v, want 100 of 100", c.Text(), c.Progress)
			}
		}},
		{tool: "test_error_handling", isError: true, text: "this tool intentionally returns an error for testing"},
		{tool: "json_schema_2020_12_tool", arguments: `{"name": "n", "contactMethod": "email", "email": "e@example.com"}`,
			text: `JSON Schema 2020-12 tool called with: {"contactMethod":"email","email":"e@example.com","name":"n"}`, check: wholeSchema},
		{tool: "test_reconnection", text: reconnected},
		{tool: "test_x_mcp_header", arguments: `{"region": "eu west/ü", "level": 3}`, text: "region=eu west/ü"},
		{tool: "test_streaming_elicitation", text: "stream observed: result frames only, no top-level requests"},
		{tool: "test_trigger_tool_change", text: "tools_list_changed published"},
		{tool: "test_trigger_prompt_change", text: "prompts_list_changed published"},
	}
}

const (
	redPixel    = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
	silence     = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
	reconnected = "Reconnection test completed successfully. If you received this, the client properly reconnected after stream closure."
)

func holdsFile(kind, mimeType, encoded string) func(*testing.T, *kontor.Kontor, kontor.Call) {
	return func(t *testing.T, k *kontor.Kontor, c kontor.Call) {
		want, err := base64.StdEncoding.DecodeString(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Content) != 1 || c.Content[0].Kind != kind || c.Content[0].Media == nil || c.Content[0].Media.MIMEType != mimeType {
			t.Fatalf("got %+v, want one %s", c.Content, kind)
		}
		if got := k.Bytes(*c.Content[0].Media); !bytes.Equal(got.Body, want) || got.Header.Get("Content-Type") != mimeType {
			t.Errorf("the file is %q, %v", got.Body, got.Header)
		}
	}
}

func logged(words string) func(*testing.T, *kontor.Kontor, kontor.Call) {
	return func(t *testing.T, k *kontor.Kontor, c kontor.Call) {
		kontor.Poll(t, kontor.Patience, words+" in the log", func() bool { return strings.Contains(k.Log(c.Server), words) })
	}
}

// wholeSchema: nothing of a schema is lost on the way.
func wholeSchema(t *testing.T, k *kontor.Kontor, c kontor.Call) {
	got := string(k.Tools(c.Server)[c.Tool].InputSchema)
	for _, part := range []string{`"$schema"`, `"$defs"`, `"$anchor"`, `"$ref"`, `"allOf"`, `"if"`, `"then"`, `"else"`, `"additionalProperties"`} {
		if !strings.Contains(got, part) {
			t.Errorf("the schema has no %s: %s", part, got)
		}
	}
}

// conformanceRounds are the tools that answer input_required first.
func conformanceRounds() []run {
	const name, confirm = "What is your name?", "Please confirm"
	const confirmed = "state-ok: requestState received and confirmation accepted"
	return []run{
		{tool: "test_input_required_result_elicitation", answers: []answer{{name, "accept", `{"name": "Ada"}`, nil}}, text: "Hello, Ada!"},
		// The server asks until it is told.
		{tool: "test_input_required_result_elicitation",
			answers: []answer{{name, "decline", "", nil}, {name, "cancel", "", nil}, {name, "accept", `{"name": "Bo"}`, nil}}, text: "Hello, Bo!"},
		{tool: "test_input_required_result_multi_round",
			answers: []answer{{"Step 1: " + name, "accept", `{"name": "Ada"}`, nil}, {"Step 2: What is your favorite color?", "accept", `{"color": "red"}`, nil}},
			text:    "Multi-round complete: Ada likes red"},
		{tool: "test_input_required_result_request_state", answers: []answer{{confirm, "accept", `{"ok": true}`, nil}}, text: confirmed},
		{tool: "test_input_required_result_tampered_state", answers: []answer{{confirm, "accept", `{"ok": true}`, nil}}, text: confirmed},
		{tool: "test_input_required_result_capabilities", answers: []answer{{name, "accept", `{"name": "Ada"}`, nil}}, text: "Capability-aware input requests fulfilled"},
		{tool: "test_input_required_result_list_roots", text: "Client exposed 0 root(s): "},
	}
}

// conformanceRefused are the tools that want what Kontor doesn't offer (sampling),
// or what the newer era doesn't have (requests of the server).
func conformanceRefused() []run {
	notInThisEra := func(method string) func(*testing.T, *kontor.Kontor, kontor.Call) {
		return func(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
			if want := `"` + method + `" cannot be sent while serving a request on protocol version 2026-07-28`; !strings.Contains(c.Text(), want) {
				t.Errorf("got %q, want it to say that %s", c.Text(), want)
			}
		}
	}
	noSampling := kontor.Error{Code: "protocol", Message: "the server asks for input that is not offered: sampling/createMessage"}
	return []run{
		{tool: "test_input_required_result_sampling", failure: noSampling},
		{tool: "test_input_required_result_multiple_inputs", failure: noSampling},
		{tool: "test_missing_capability", failure: kontor.Error{Code: "server_error",
			Message: "the server answered with an error: sampling capability required but not declared by client (-32021)"}},
		{tool: "test_sampling", arguments: `{"prompt": "p"}`, isError: true, check: notInThisEra("sampling/createMessage")},
		{tool: "test_elicitation", arguments: `{"message": "m"}`, isError: true, check: notInThisEra("elicitation/create")},
		{tool: "test_elicitation_sep1034_defaults", isError: true, check: notInThisEra("elicitation/create")},
		{tool: "test_elicitation_sep1330_enums", isError: true, check: notInThisEra("elicitation/create")},
	}
}

// conformanceSessions are the tools that ask by a request of the server. (The one
// with enums isn't: the server itself finds its schema wrong.)
func conformanceSessions() []run {
	return []run{
		{tool: "test_elicitation", arguments: `{"message": "Who?"}`, answers: []answer{{"Who?", "accept", `{"username": "ada"}`, nil}},
			text: "Elicitation result: action=accept, content=map[username:ada]"},
		{tool: "test_elicitation", arguments: `{"message": "Who?"}`, answers: []answer{{"Who?", "decline", "", nil}},
			text: "Elicitation result: action=decline, content=map[]"},
		{tool: "test_elicitation_sep1034_defaults", answers: []answer{{"Test defaults for primitives", "accept", `{"age": 31}`, nil}},
			text: "Elicitation result: action=accept, content=map[age:31 name:John Doe score:95.5 status:active verified:true]"},
	}
}

// cutStream: the server closes the stream of a call and gave no id to resume it by,
// so nobody knows what became of it.
func cutStream(t *testing.T, k *kontor.Kontor) {
	got := k.Call("mcp__sessions__test_reconnection", `{}`)
	if got.State != "unknown" || got.Error == nil || got.Error.Code != "outcome_unknown" {
		t.Errorf("the call is %s with %+v, want unknown", got.State, got.Error)
	}
	if got := k.Call("mcp__sessions__test_simple_text", `{}`); got.State != "done" {
		t.Errorf("the next call is %s: %+v", got.State, got.Error)
	}
}

// promptThatAsks: a prompt may ask the person, too.
func promptThatAsks(t *testing.T, k *kontor.Kontor, server string) {
	rendered := make(chan kontor.Answer, 1)
	go func() {
		got, err := k.As(kontor.Token).Do("POST", "/api/prompts/get", map[string]string{"server": server, "name": "test_input_required_result_prompt"})
		if err != nil {
			got.Body = []byte(err.Error())
		}
		rendered <- got
	}()
	var open []kontor.Elicitation
	kontor.Poll(t, kontor.Patience, "the prompt's question", func() bool {
		open = k.Inbox().Elicitations
		return len(open) == 1
	})
	k.Answer(open[0].ID, "accept", `{"context": "a test"}`)
	if got := <-rendered; got.Status != 200 || !strings.Contains(string(got.Body), "Context: a test") {
		t.Errorf("got %d %s", got.Status, got.Body)
	}
}

func conformanceResources(t *testing.T, k *kontor.Kontor, server string) {
	got := readResource(t, k, server, "test://template/x1/data")
	if want := `{"id": "x1", "templateTest": true, "data": "Data for ID: x1"}`; len(got) != 1 || got[0].Text != want {
		t.Errorf("got %+v, want %s", got, want)
	}
	binary := readResource(t, k, server, "test://static-binary")
	if len(binary) != 1 || binary[0].Media == nil || binary[0].Media.Size != 70 || binary[0].MIMEType != "image/png" {
		t.Errorf("got %+v, want a picture of 70 bytes", binary)
	}
}
