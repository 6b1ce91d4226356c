// Package bundled is the register of the MCP servers that are part of this binary
// and run as `kontor server NAME`. It starts one; what it offers is its own package's
// business. To add one: write its package and add its line to [All].
package bundled

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/demo"
	"kontor.dev/kontor/internal/bundled/kit"
)

// Server is one bundled server.
type Server struct {
	// Name is what `kontor server` takes.
	Name string
	// Description is one line for people.
	Description string

	build func(Options) *mcp.Server
}

// Options is how a server is to run.
type Options struct {
	// Version is this binary's, told to clients.
	Version string
	// Addr is a loopback host:port to serve HTTP at, path /mcp; port 0 takes any
	// free one. Empty serves stdio.
	Addr string
	// Stdin and Stdout carry the messages of stdio and are closed in the end. With
	// Addr they are unused.
	Stdin  io.ReadCloser
	Stdout io.WriteCloser
	// Stderr takes the server's log; over HTTP its first line names the address.
	Stderr io.Writer
}

// All lists the servers in the order in which people see them.
func All() []Server {
	return []Server{
		{
			Name:        "demo",
			Description: "a tool for everything that an MCP tool can do",
			build:       func(o Options) *mcp.Server { return demo.New(demo.Options{Version: o.Version, Stderr: o.Stderr}) },
		},
	}
}

// Run runs the server named name until its client leaves (stdio) or ctx ends. Both
// are regular ends and return nil.
func Run(ctx context.Context, name string, o Options) error {
	server, err := find(name)
	if err != nil {
		return err
	}
	if o.Addr == "" {
		return kit.Stdio(ctx, server.build(o), o.Stdin, o.Stdout)
	}
	listener, err := kit.Loopback(ctx, o.Addr)
	if err != nil {
		return fmt.Errorf("server %s: %w", name, err)
	}
	fmt.Fprintf(o.Stderr, "serving MCP at http://%s/mcp\n", listener.Addr())
	return kit.HTTP(ctx, server.build(o), listener)
}

func find(name string) (Server, error) {
	all := All()
	names := make([]string, len(all))
	for i, server := range all {
		if server.Name == name {
			return server, nil
		}
		names[i] = server.Name
	}
	return Server{}, fmt.Errorf("there is no bundled server %q; there are: %s", name, strings.Join(names, ", "))
}
