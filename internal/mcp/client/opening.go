package client

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// opening is the way from a dialer to a connection whose era is known.
type opening struct {
	o    *Options
	conn *conn
	// probed says that the server has been sent what it may not understand.
	probed bool
	// These are done at most once.
	redialled, rediscovered, reinitialized, triedSSE bool
}

// run negotiates. On failure the caller closes conn, if there is one.
func (n *opening) run(ctx context.Context) (Info, error) {
	if n.o.KnownSSE && n.o.DialSSE != nil {
		info, err := n.overSSE(ctx, cmp.Or(n.o.ProtocolVersion, newestLegacy))
		if err == nil || ctx.Err() != nil {
			return info, err
		}
	}
	if err := n.dial(ctx, n.o.Dial); err != nil {
		return Info{}, err
	}
	pinned := n.o.ProtocolVersion
	switch {
	case pinned != "" && isModern(pinned):
		return n.discoverPinned(ctx, pinned)
	case pinned != "":
		return n.initialize(ctx, pinned)
	case n.o.KnownEra == Legacy:
		info, err := n.initialize(ctx, newestLegacy)
		if err == nil || !doubtsEra(err) {
			return info, err
		}
	}
	return n.probe(ctx)
}

// dial takes the place of the connection there is.
func (n *opening) dial(ctx context.Context, dial wire.Dialer) error {
	if n.conn != nil {
		// How the old one ends is no news.
		_ = n.conn.close()
		n.conn = nil
	}
	c, err := open(ctx, n.o, dial)
	if err != nil {
		return startError(StageDial, err)
	}
	n.conn = c
	return nil
}

// discoverPinned asks a server that shall speak one modern revision.
func (n *opening) discoverPinned(ctx context.Context, version string) (Info, error) {
	d := modernDialect(n.o, version)
	result, err := n.conn.do(ctx, discoverRequest(d))
	if err != nil {
		return Info{}, startError(StageProbe, err)
	}
	return n.modern(d, result), nil
}

// modern settles on a modern server.
func (n *opening) modern(d *dialect, result json.RawMessage) Info {
	n.conn.dressed.Store(d)
	info := readDiscover(result)
	info.ProtocolVersion = d.version
	return info
}

func discoverRequest(d *dialect) *request {
	return &request{dialect: d, method: "server/discover", handshake: true}
}

func (n *opening) initializeRequest(version string) *request {
	// The header comes with the negotiated version only: until 2025-06-18 there
	// was none, and servers of that time refuse what they don't know.
	return &request{dialect: legacyDialect(""), method: "initialize", handshake: true,
		members: initializeMembers(n.o, version)}
}

// initialize opens the legacy way and waits for the answer.
func (n *opening) initialize(ctx context.Context, version string) (Info, error) {
	result, err := n.conn.do(ctx, n.initializeRequest(version))
	switch {
	case err == nil:
		return n.legacy(ctx, version, result)
	case n.exited(ctx, err):
		return n.restart(ctx, version)
	}
	return n.afterInitialize(ctx, version, err)
}

// exited tells whether err is the end of a server that couldn't bear the probe.
// Over stdio no answer and no line written means just that; over HTTP there is
// no process that could end.
func (n *opening) exited(ctx context.Context, err error) bool {
	var rpc *wire.Error
	return err != nil && n.probed && !n.redialled && !n.o.HTTP && ctx.Err() == nil && !errors.As(err, &rpc)
}

// restart starts the server again and opens the old way.
func (n *opening) restart(ctx context.Context, version string) (Info, error) {
	n.redialled = true
	if err := n.dial(ctx, n.o.Dial); err != nil {
		return Info{}, err
	}
	return n.initialize(ctx, version)
}

// afterInitialize deals with a refused initialize.
func (n *opening) afterInitialize(ctx context.Context, version string, err error) (Info, error) {
	v := judgeInitialize(err)
	switch {
	case ctx.Err() == nil && suggestsSSE(err) && n.o.DialSSE != nil && !n.triedSSE:
		return n.fallBack(ctx, version, err)
	case ctx.Err() != nil || n.o.ProtocolVersion != "":
	case v.step == stepInitialize && v.version != version && !n.reinitialized:
		n.reinitialized = true
		return n.initialize(ctx, v.version)
	case errors.Is(v.err, ErrNoCommonVersion):
		return Info{}, startError(StageVersion, v.err)
	}
	return Info{}, startError(StageInitialize, err)
}

// legacy settles on a legacy server: it reads the result and says so.
func (n *opening) legacy(ctx context.Context, asked string, result json.RawMessage) (Info, error) {
	info, err := readInitialize(asked, result)
	if err != nil {
		return Info{}, startError(StageInitialize, err)
	}
	n.conn.dressed.Store(legacyDialect(info.ProtocolVersion))
	m := wire.NewNotification("notifications/initialized", nil)
	if err := n.conn.send(ctx, TraceEvent{Message: m, Method: m.Method}); err != nil {
		var status *wire.HTTPError
		if !errors.As(err, &status) || status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden {
			return Info{}, startError(StageInitialize, fmt.Errorf("notifications/initialized: %w", err))
		}
		n.conn.note(wire.Note{Kind: wire.NoteLifecycle, Text: "notifications/initialized: " + err.Error()})
	}
	if l, ok := n.conn.transport.(wire.Listener); ok {
		n.conn.hears(l.Listen(n.conn.base))
	}
	return info, nil
}

// silence is how long the probe may stay unanswered before initialize follows.
func (n *opening) silence() time.Duration {
	if n.o.KnownEra == Modern {
		// It answered before: it is slow rather than old.
		return 10 * n.o.ProbeTimeout
	}
	return n.o.ProbeTimeout
}
