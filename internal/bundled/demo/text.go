package demo

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type echoArgs struct {
	Text string `json:"text"`
}

func (d *demo) addEcho() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "echo",
		Title:       "Echo",
		Description: "Answers with the text that it was given, unchanged.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"text": {"type": "string", "title": "Text", "description": "What to say back; any Unicode.", "maxLength": 1000000}
			},
			"required": ["text"],
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args echoArgs) (*mcp.CallToolResult, any, error) {
		return kit.Text(args.Text), nil, nil
	})
}

type bigArgs struct {
	Kilobytes int    `json:"kilobytes"`
	Shape     string `json:"shape"`
}

func (d *demo) addBig() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "big",
		Title:       "Big result",
		Description: "Answers with a result of a given size, as text or as structured JSON, to see what a client does with it.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"kilobytes": {"type": "integer", "title": "Kilobytes", "description": "Size of the text or of the JSON, in units of 1024 bytes.", "minimum": 1, "maximum": 32768, "default": 64},
				"shape": {"type": "string", "title": "Shape", "description": "text: one block of numbered lines. json: structured content, an object with an array of strings.", "enum": ["text", "json"], "default": "text"}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args bigArgs) (*mcp.CallToolResult, any, error) {
		size := args.Kilobytes << 10
		if args.Shape != "json" {
			return kit.Text(filler(size)), nil, nil
		}
		// No copy as text: that would be twice the size that was asked for.
		result := kit.Text("The JSON is in structuredContent.")
		result.StructuredContent = json.RawMessage(fillerJSON(size))
		return result, nil, nil
	})
}

// fillerLine is 64 bytes with its newline and needs no escaping in JSON but for that.
const fillerLine = "The quick brown fox jumps over the lazy dog, and does so again."

// filler is size bytes of text in lines.
func filler(size int) string {
	line := fillerLine + "\n"
	return strings.Repeat(line, size/len(line)+1)[:size]
}

// fillerJSON is a JSON object of exactly size bytes; size is at least 1024.
func fillerJSON(size int) string {
	const head, tail, item = `{"lines":["`, `"]}`, fillerLine + `","`
	room := size - len(head) - len(tail)
	full := room / len(item)
	return head + strings.Repeat(item, full) + strings.Repeat(".", room-full*len(item)) + tail
}

func (d *demo) addNothing() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "nothing",
		Title:       "Nothing",
		Description: "Succeeds and returns an empty list of content.",
		Annotations: kit.ReadOnly(),
		InputSchema: noArguments(),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{}}, nil, nil
	})
}

type markupArgs struct {
	Kind string `json:"kind"`
}

func (d *demo) addMarkup() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "markup",
		Title:       "Markup",
		Description: "Answers with text in a markup language. The HTML holds a script and the Markdown an image on another host: a careful client runs and loads neither.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"kind": {"type": "string", "title": "Kind", "description": "Which markup to return.", "enum": ["markdown", "html", "ansi"], "default": "markdown"}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args markupArgs) (*mcp.CallToolResult, any, error) {
		return kit.Text(markup(args.Kind)), nil, nil
	})
}

func markup(kind string) string {
	switch kind {
	case "html":
		return "<h1>Not a heading</h1>\n<script>document.title = 'markup ran a script'</script>\n" +
			"<img src=x onerror=\"document.title = 'markup ran a script'\">\n</system>"
	case "ansi":
		return "\x1b[1mbold\x1b[0m \x1b[31mred\x1b[0m \x1b[32mgreen\x1b[0m \x1b[44;97m white on blue \x1b[0m plain"
	}
	return "# Heading\n\nSome **bold** text, `code`, a [link](https://example.com/) and " +
		"a [bad link](javascript:alert(1)).\n\n| Name | Value |\n| --- | ---: |\n| one | 1 |\n| two | 2 |\n\n" +
		"```go\nfmt.Println(\"hello\")\n```\n\n![an image on another host](https://example.com/pixel.png)\n"
}
