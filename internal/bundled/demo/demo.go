// Package demo is an MCP server with a tool for everything that a tool can do:
// every kind of result, progress, failure, every question to the person, logs and
// pushes. People try Kontor with it and Kontor's tests run against it.
//
// It is the example to copy for a bundled server: [New] builds it, one file for
// each noun holds that noun's tools (schema, hints, handler, in this order), package
// kit does what the SDK leaves to its user, and one line in package bundled makes
// it `kontor server demo`. Schemas are JSON as the protocol sends it, so that what a
// form will show, and in which order, can be read here. Nothing is kept in package
// variables and nothing runs before New: dozens of these processes may be started at
// once. Results depend on nothing but the arguments.
package demo

import (
	"encoding/json"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

// One paragraph: clients show line breaks as they are.
const instructions = "Tools that show what MCP can do, for trying out and testing a client. None of them " +
	"touches anything outside this server. The ask_* tools and confirm put a question to the person."

// Options is what the server is given from outside.
type Options struct {
	// Version goes into serverInfo.
	Version string
	// Stderr takes the lines of the log tool; nil discards them.
	Stderr io.Writer
}

// demo is the little that the tools share.
type demo struct {
	server *mcp.Server

	mu     sync.Mutex // keeps lines on stderr whole
	stderr io.Writer
}

// New returns the server, ready to be served by package kit.
func New(o Options) *mcp.Server {
	d := &demo{stderr: o.Stderr}
	if d.stderr == nil {
		d.stderr = io.Discard
	}
	d.server = kit.New(kit.About{
		Name:         "kontor-demo",
		Title:        "Kontor demo",
		Version:      o.Version,
		Description:  "A tool for everything that an MCP tool can do.",
		Instructions: instructions,
		Complete:     complete,
	})
	for _, add := range []func(){
		d.addEcho, d.addBig, d.addNothing, d.addMarkup,
		d.addSum, d.addTable,
		d.addPicture, d.addSound, d.addDocument, d.addLink, d.addMixed,
		d.addSlow, d.addFail,
		d.addConfirm, d.addAskSecret, d.addAskForm, d.addAskOdd, d.addAskLink,
		d.addLog, d.addNotify,
		d.addResources, d.addPrompts,
	} {
		add()
	}
	return d.server
}

// schema marks a JSON Schema that is written out in the source.
func schema(text string) json.RawMessage { return json.RawMessage(text) }

// noArguments is the input schema of a tool that takes none.
func noArguments() json.RawMessage {
	return schema(`{"type": "object", "additionalProperties": false}`)
}
