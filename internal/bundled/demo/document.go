package demo

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type documentArgs struct {
	Kind  string `json:"kind"`
	Title string `json:"title"`
}

func (d *demo) addDocument() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "document",
		Title:       "Document",
		Description: "Answers with a small file as an embedded resource.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"kind": {"type": "string", "title": "Kind", "description": "pdf and bytes come as binary data, the others as text. The HTML and the SVG hold a script that must not run.", "enum": ["pdf", "text", "markdown", "html", "svg", "bytes"], "default": "pdf"},
				"title": {"type": "string", "title": "Title", "description": "Stands in the document.", "minLength": 1, "maxLength": 80, "default": "Hello from the demo server"}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args documentArgs) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.EmbeddedResource{Resource: document(args)},
		}}, nil, nil
	})
}

func document(args documentArgs) *mcp.ResourceContents {
	const script = `<script>document.title = 'the document ran a script'</script>`
	switch args.Kind {
	case "text":
		return &mcp.ResourceContents{URI: "demo://document/hello.txt", MIMEType: "text/plain", Text: args.Title + "\n"}
	case "markdown":
		return &mcp.ResourceContents{URI: "demo://document/hello.md", MIMEType: "text/markdown", Text: "# " + args.Title + "\n\n- one\n- two\n"}
	case "html":
		return &mcp.ResourceContents{URI: "demo://document/hello.html", MIMEType: "text/html",
			Text: "<!doctype html><title>Demo</title><h1>A page</h1>" + script}
	case "svg":
		return &mcp.ResourceContents{URI: "demo://document/hello.svg", MIMEType: "image/svg+xml",
			Text: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="teal"/>` + script + `</svg>`}
	case "bytes":
		data := make([]byte, 256)
		for i := range data {
			data[i] = byte(i)
		}
		return &mcp.ResourceContents{URI: "demo://document/hello.bin", MIMEType: "application/octet-stream", Blob: data}
	}
	return &mcp.ResourceContents{URI: "demo://document/hello.pdf", MIMEType: "application/pdf", Blob: pdf(args.Title)}
}

type linkArgs struct {
	URI string `json:"uri"`
}

func (d *demo) addLink() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "link",
		Title:       "Link",
		Description: "Answers with a link to a resource: to one of this server's own, or to any address.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"uri": {"type": "string", "format": "uri", "title": "Address", "description": "Where the link leads. Nothing is fetched.", "minLength": 1, "maxLength": 2000, "default": "` + readmeURI + `"}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args linkArgs) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{resourceLink(args.URI)}}, nil, nil
	})
}

func resourceLink(uri string) *mcp.ResourceLink {
	link := &mcp.ResourceLink{URI: uri, Name: "linked", Title: "A linked resource", Description: "It isn't in the result itself."}
	if uri == readmeURI {
		link.Name, link.Title, link.MIMEType = "readme", "About this server", "text/markdown"
		link.Size = new(int64(len(readme)))
	}
	return link
}

func (d *demo) addMixed() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "mixed",
		Title:       "Mixed result",
		Description: "Answers with one block of every kind, in this order: text, picture, sound, embedded text, embedded PDF, link, text for the assistant only.",
		Annotations: kit.ReadOnly(),
		InputSchema: noArguments(),
	}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		image, err := picture(pictureArgs{Width: 240, Height: 160, Seed: 7})
		if err != nil {
			return nil, nil, err
		}
		audio, err := tone(soundArgs{Seconds: 0.5, Hertz: 523.25})
		if err != nil {
			return nil, nil, fmt.Errorf("mixed: %w", err)
		}
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: "One block of every kind:"},
			&mcp.ImageContent{Data: image, MIMEType: "image/png"},
			&mcp.AudioContent{Data: audio, MIMEType: "audio/wav"},
			&mcp.EmbeddedResource{Resource: document(documentArgs{Kind: "text", Title: "An embedded text"})},
			&mcp.EmbeddedResource{Resource: document(documentArgs{Kind: "pdf", Title: "An embedded PDF"})},
			resourceLink(readmeURI),
			&mcp.TextContent{Text: "The person needn't see this.", Annotations: &mcp.Annotations{
				Audience: []mcp.Role{"assistant"}, Priority: 0.1,
			}},
		}}, nil, nil
	})
}
