// Command kontor is the whole application: the web app, the bundled MCP servers,
// and the command line of a data folder.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"kontor.dev/kontor/internal/mcp/watchdog"
)

func main() {
	// First of all: this may be the watchdog's process, which must stay small.
	if watchdog.Main(os.Args) {
		return
	}
	os.Exit(run())
}

// run keeps main free of deferred calls that os.Exit would skip.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second signal ends us the hard way.
	context.AfterFunc(ctx, stop)
	if err := root().ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "kontor:", err)
		return 1
	}
	return 0
}
