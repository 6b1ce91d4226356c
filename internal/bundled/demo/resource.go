package demo

import (
	"context"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	readmeURI      = "demo://readme"
	logoURI        = "demo://logo.png"
	greetingPrefix = "demo://greeting/"
	greetingURI    = greetingPrefix + "{name}"
)

const readme = `# Kontor demo

An MCP server with a tool for everything that a tool can do.
Try ` + "`ask_form`, `picture` and `slow`" + ` first.
`

func (d *demo) addResources() {
	d.server.AddResource(&mcp.Resource{
		URI:         readmeURI,
		Name:        "readme",
		Title:       "About this server",
		Description: "What the demo server is for.",
		MIMEType:    "text/markdown",
		Size:        int64(len(readme)),
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return contents(&mcp.ResourceContents{URI: readmeURI, MIMEType: "text/markdown", Text: readme}), nil
	})
	d.server.AddResource(&mcp.Resource{
		URI:         logoURI,
		Name:        "logo",
		Title:       "A picture",
		Description: "A small picture, as binary data.",
		MIMEType:    "image/png",
	}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		data, err := picture(pictureArgs{Width: 128, Height: 128, Seed: 3})
		if err != nil {
			return nil, err
		}
		return contents(&mcp.ResourceContents{URI: logoURI, MIMEType: "image/png", Blob: data}), nil
	})
	d.server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: greetingURI,
		Name:        "greeting",
		Title:       "Greeting",
		Description: "Greets whoever is named in the address.",
		MIMEType:    "text/plain",
	}, greeting)
}

func greeting(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	name, err := url.PathUnescape(strings.TrimPrefix(uri, greetingPrefix))
	if err != nil || name == "" {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return contents(&mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "Hello, " + name + "!"}), nil
}

func contents(c *mcp.ResourceContents) *mcp.ReadResourceResult {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{c}}
}
