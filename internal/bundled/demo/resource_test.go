package demo

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestResourcesCanBeListedAndRead(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		list, err := p.ListResources(t.Context(), nil)
		if err != nil || len(list.Resources) != 2 {
			t.Fatalf("got %v, %v, want 2 resources", list, err)
		}
		if got := read(t, p, readmeURI); got.Text != readme || got.MIMEType != "text/markdown" {
			t.Errorf("got %+v, want the readme", got)
		}
		if _, err := png.Decode(bytes.NewReader(read(t, p, logoURI).Blob)); err != nil {
			t.Errorf("the logo is no PNG: %v", err)
		}
		if got, want := read(t, p, "demo://greeting/J%C3%BCrgen").Text, "Hello, Jürgen!"; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		for _, uri := range []string{"demo://\U0010ffff", "demo://nowhere"} { // the first isn't JSON as Go quotes it
			_, err := p.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
			if refused, ok := errors.AsType[*jsonrpc.Error](err); !ok || refused.Code != jsonrpc.CodeInvalidParams {
				t.Errorf("reading %q: %v, want that there is no such resource", uri, err)
			}
		}
	})
}

func read(t *testing.T, p *peer, uri string) *mcp.ResourceContents {
	t.Helper()
	result, err := p.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	return result.Contents[0]
}

func TestPromptsTakeTheirArguments(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		if _, err := p.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "tour"}); err != nil {
			t.Error(err)
		}
		poem := &mcp.GetPromptParams{Name: "poem", Arguments: map[string]string{"topic": "rain"}}
		result, err := p.GetPrompt(t.Context(), poem)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := result.Messages[0].Content.(*mcp.TextContent).Text, "Write a haiku about rain."; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if _, err := p.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "poem"}); err == nil {
			t.Error("a poem about nothing was given")
		}
	})
}

func TestCompletionProposesWhatFits(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		greeting := &mcp.CompleteReference{Type: "ref/resource", URI: greetingURI}
		poem := &mcp.CompleteReference{Type: "ref/prompt", Name: poemPrompt}
		for _, tt := range []struct {
			ref         *mcp.CompleteReference
			name, value string
			want        []string
		}{
			{greeting, "name", "a", []string{"Ada", "Alan", "Annie"}},
			{poem, "form", "S", []string{"sonnet"}},
			{poem, "topic", "zzz", nil},
			{poem, "unknown", "", nil},
		} {
			result, err := p.Complete(t.Context(), &mcp.CompleteParams{
				Ref: tt.ref, Argument: mcp.CompleteParamsArgument{Name: tt.name, Value: tt.value},
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := result.Completion.Values; fmt.Sprint(got) != fmt.Sprint(tt.want) {
				t.Errorf("%s %q: got %v, want %v", tt.name, tt.value, got, tt.want)
			}
		}
	})
}
