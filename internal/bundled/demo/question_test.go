package demo

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answering is a client whose person answers everything with answer.
func answering(answer func(*mcp.ElicitParams) *mcp.ElicitResult) *mcp.ClientOptions {
	return &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return answer(req.Params), nil
		},
	}
}

func accept(content map[string]any) func(*mcp.ElicitParams) *mcp.ElicitResult {
	return func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: content}
	}
}

func action(action string) func(*mcp.ElicitParams) *mcp.ElicitResult {
	return func(*mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: action} }
}

func TestConfirmSaysWhatThePersonSaid(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		for said, want := range map[string]string{
			"accept": "The person said yes.", "decline": "The person said no.", "cancel": "The person didn't answer.",
		} {
			var asked *mcp.ElicitParams
			p := connect(t, w, answering(func(params *mcp.ElicitParams) *mcp.ElicitResult {
				asked = params
				return &mcp.ElicitResult{Action: said}
			}))
			result := p.call(t, "confirm", map[string]any{"message": "Really?"})
			if got := text(t, result); got != want || result.IsError {
				t.Errorf("%s: got %q, want %q", said, got, want)
			}
			if asked.Message != "Really?" || asked.Mode != "form" {
				t.Errorf("asked %q in mode %q, want Really? in mode form", asked.Message, asked.Mode)
			}
		}
	})
}

func TestAskSecretTellsTheLengthOnly(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		const secret = "hünter2-unlikely"
		for markedBy, field := range map[string]string{"write_only": "value", "name": "api_token"} {
			p := connect(t, w, answering(accept(map[string]any{field: secret})))
			got := text(t, p.call(t, "ask_secret", map[string]any{"marked_by": markedBy}))
			if want := `{"action":"accept","length":16}`; got != want {
				t.Errorf("%s: got %s, want %s", markedBy, got, want)
			}
			if p.heard.count("unlikely")+p.stderr.count("unlikely") != 0 {
				t.Errorf("%s: the server repeated the secret", markedBy)
			}
		}
		p := connect(t, w, answering(action("decline")))
		got := text(t, p.call(t, "ask_secret", map[string]any{"marked_by": "name"}))
		if want := `{"action":"decline"}`; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func completeOrder() map[string]any {
	return map[string]any{
		"name": "Ada", "email": "ada@example.com", "amount": 3, "terms": true,
		"colour": "#27ae60", "news": []any{"stock", "events"}, "call_at": "2026-12-24T12:00:00Z",
	}
}

func TestAskFormAnswersWithTheContent(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		order := completeOrder()
		order["price"] = 10.25
		p := connect(t, w, answering(accept(order)))
		got, _ := p.call(t, "ask_form", nil).StructuredContent.(map[string]any)
		content, _ := got["content"].(map[string]any)
		if got["action"] != "accept" || content["name"] != "Ada" || content["price"] != 10.25 ||
			fmt.Sprint(content["news"]) != "[stock events]" {
			t.Errorf("got %v", got)
		}
		for _, said := range []string{"decline", "cancel"} {
			p := connect(t, w, answering(action(said)))
			if got, want := text(t, p.call(t, "ask_form", nil)), `{"action":"`+said+`"}`; got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// The SDK's client checks answers itself, so this one answers past it.
func TestAskFormChecksTheAnswer(t *testing.T) {
	t.Parallel()
	options := answering(action("cancel"))
	options.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	p := connect(t, way{"memory", newer}, options)
	for _, tt := range []struct {
		name   string
		change func(map[string]any)
		works  bool
	}{
		{"whole", func(map[string]any) {}, true},
		{"no name", func(m map[string]any) { delete(m, "name") }, false},
		{"short name", func(m map[string]any) { m["name"] = "A" }, false},
		{"amount over 99", func(m map[string]any) { m["amount"] = 100 }, false},
		{"half an amount", func(m map[string]any) { m["amount"] = 1.5 }, false},
		{"unknown size", func(m map[string]any) { m["size"] = "XL" }, false},
		{"unknown colour", func(m map[string]any) { m["colour"] = "Red" }, false},
		{"name of an older choice", func(m map[string]any) { m["delivery"] = "Express, tomorrow" }, false},
		{"too many extras", func(m map[string]any) { m["extras"] = []any{"card", "ribbon", "box"} }, false},
		{"no news", func(m map[string]any) { m["news"] = []any{} }, false},
		{"code out of pattern", func(m map[string]any) { m["code"] = "ab-1234" }, false},
	} {
		order := maps.Clone(completeOrder())
		tt.change(order)
		result, err := p.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "ask_form", InputResponses: mcp.InputResponseMap{"answer": &mcp.ElicitResult{Action: "accept", Content: order}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if result.IsError == tt.works {
			t.Errorf("%s: got %s", tt.name, text(t, result))
		}
	}
}

func TestAskLinkWaitsUntilDone(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		const url = "https://example.com/x"
		var asked *mcp.ElicitParams
		completed := make(chan string, 1)
		options := answering(func(params *mcp.ElicitParams) *mcp.ElicitResult {
			asked = params
			return &mcp.ElicitResult{Action: "accept"}
		})
		options.ElicitationCompleteHandler = func(_ context.Context, req *mcp.ElicitationCompleteNotificationRequest) {
			completed <- req.Params.ElicitationID
		}
		p := connect(t, w, options)
		if got := text(t, p.call(t, "ask_link", map[string]any{"url": url})); !strings.Contains(got, url) {
			t.Errorf("got %q", got)
		}
		if asked.Mode != "url" || asked.URL != url {
			t.Errorf("asked for %s in mode %s", asked.URL, asked.Mode)
		}
		if w.revision == newer {
			if asked.ElicitationID != "" {
				t.Error("the newer revision has no elicitationId")
			}
			return
		}
		if got := <-completed; got == "" || got != asked.ElicitationID {
			t.Errorf("%q was completed, want %q", got, asked.ElicitationID)
		}
	})
}

func TestAskingWhoCannotBeAskedIsAToolError(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		for _, name := range []string{"confirm", "ask_secret", "ask_form", "ask_odd", "ask_link"} {
			result := p.call(t, name, nil)
			if got := text(t, result); !result.IsError || !strings.Contains(got, "this client can't") {
				t.Errorf("%s: got %q (an error: %v)", name, got, result.IsError)
			}
		}
	})
}

// What the protocol doesn't allow in a form goes out as it is written all the same.
func TestOddSchemasGoOutAsWritten(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, answering(action("cancel")))
		for name, want := range map[string]string{
			"ask_secret": `"format":"password"`,
			"ask_odd":    `"required":["town"]`,
		} {
			// The SDK's client refuses such a form.
			if _, err := p.CallTool(t.Context(), &mcp.CallToolParams{Name: name}); err == nil {
				t.Errorf("%s: the client took the form", name)
			}
			p.heard.await(t, want, 1)
		}
	})
}
