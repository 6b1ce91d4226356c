package client

import (
	"context"
	"errors"
	"fmt"

	"kontor.dev/kontor/internal/mcp/wire"
)

// The way to the HTTP+SSE transport of 2024-11-05 is a part of the opening, and no
// dialer that tries one transport after the other: what leads to it is the answer
// to initialize, which only the opening understands, and what is found, Info.SSE,
// is for the host to remember beside the era.

// overSSE opens a connection over that transport.
func (n *opening) overSSE(ctx context.Context, version string) (Info, error) {
	n.triedSSE = true
	if err := n.dial(ctx, n.o.DialSSE); err != nil {
		return Info{}, err
	}
	info, err := n.initialize(ctx, version)
	info.SSE = true
	return info, err
}

// fallBack tries a server that has refused initialize over that transport. Unless
// that leads to it, the refusal is what counts: most servers that answer 404 are
// none at all.
func (n *opening) fallBack(ctx context.Context, version string, refusal error) (Info, error) {
	info, err := n.overSSE(ctx, version)
	if err == nil {
		n.note("the server speaks the older HTTP+SSE transport (2024-11-05), which was found by itself")
		return info, nil
	}
	n.note("the older HTTP+SSE transport (2024-11-05) was tried too: %v", err)
	if ctx.Err() != nil || n.conn != nil || errors.Is(err, wire.ErrEndpointRefused) {
		return Info{}, err // it does speak it, but something else is wrong
	}
	return Info{}, startError(StageInitialize, refusal)
}

func (n *opening) note(format string, args ...any) {
	if n.o.Handlers.Note != nil {
		n.o.Handlers.Note(wire.Note{Kind: wire.NoteLifecycle, Text: fmt.Sprintf(format, args...)})
	}
}
