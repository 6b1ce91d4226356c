package client

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
)

// step is what follows the answer to server/discover or to initialize.
type step int

const (
	// stepModern takes the server as modern, in the verdict's version.
	stepModern step = iota
	// stepDiscover asks server/discover again, once, in the verdict's version.
	stepDiscover
	// stepInitialize opens with initialize, in the verdict's version.
	stepInitialize
	// stepFail gives up with the verdict's error.
	stepFail
)

// verdict is a decision about a server's era.
type verdict struct {
	step    step
	version string
	err     error
}

// judgeDiscover decides what the answer to server/discover means (2026-07-28,
// basic/lifecycle, with what servers were seen to do): a DiscoverResult or one
// of the modern error codes makes a server modern, any other answer makes it
// legacy. What speaks for the network or the sign-in decides nothing.
func judgeDiscover(result json.RawMessage, err error, overHTTP bool) verdict {
	var rpc *wire.Error
	var status *wire.HTTPError
	switch {
	case err == nil:
		offered := supportedIn(result)
		if len(offered) == 0 { // a server that answers anything to anything
			return verdict{step: stepInitialize, version: newestLegacy}
		}
		return choose(offered, stepModern)
	case errors.As(err, &rpc):
		switch rpc.Code {
		case wire.CodeUnsupportedVersion:
			return choose(supportedIn(rpc.Data), stepDiscover)
		case wire.CodeHeaderMismatch, wire.CodeMissingCapability:
			return verdict{step: stepFail, err: err}
		}
		return verdict{step: stepInitialize, version: newestLegacy}
	case errors.As(err, &status):
		if aboutSignIn(status) || unavailable(status.Status) {
			return verdict{step: stepFail, err: err}
		}
		return verdict{step: stepInitialize, version: newestLegacy}
	case overHTTP && !errors.Is(err, wire.ErrNotSent):
		// The answer broke off. An old server that chokes on the unknown method
		// looks like that too; if it is the network, initialize fails as well.
		return verdict{step: stepInitialize, version: newestLegacy}
	}
	return verdict{step: stepFail, err: err}
}

// choose picks the step for a list of versions that a modern server gave. One
// without a list that we can read gets initialize: it costs little to try.
func choose(offered []string, modernStep step) verdict {
	modern, legacy := common(offered)
	switch {
	case modern != "":
		return verdict{step: modernStep, version: modern}
	case legacy != "":
		return verdict{step: stepInitialize, version: legacy}
	case len(offered) == 0:
		return verdict{step: stepInitialize, version: newestLegacy}
	}
	return verdict{step: stepFail, err: noCommonVersion(offered)}
}

// judgeInitialize decides what a failed initialize means. An error that names
// versions (2025-11-25, lifecycle "Error Handling": -32602; 2026-07-28: -32022)
// leads to one of them.
func judgeInitialize(err error) verdict {
	var rpc *wire.Error
	if !errors.As(err, &rpc) || rpc.Code != wire.CodeInvalidParams && rpc.Code != wire.CodeUnsupportedVersion {
		return verdict{step: stepFail, err: err}
	}
	offered := supportedIn(rpc.Data)
	if len(offered) == 0 {
		return verdict{step: stepFail, err: err}
	}
	return choose(offered, stepDiscover)
}

// suggestsSSE tells whether a refused initialize may come from a server that
// speaks the HTTP+SSE transport of 2024-11-05 (2025-11-25, basic/transports
// "Backwards Compatibility"; that the answer is no JSON-RPC is ours: a server that
// answers in it understood the POST).
func suggestsSSE(err error) bool {
	var status *wire.HTTPError
	if !errors.As(err, &status) {
		return false
	}
	switch status.Status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}

// aboutSignIn tells whether a refusal is a matter of who asks, and for what (RFC 6750,
// section 3.1): it says nothing of the era.
func aboutSignIn(e *wire.HTTPError) bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden &&
		strings.Contains(strings.Join(e.Header.Values("WWW-Authenticate"), ","), "insufficient_scope")
}

// doubtsEra tells whether a server that was known to be legacy may have changed:
// it answered initialize, but with a refusal that is no matter of sign-in, of
// the network or of its health.
func doubtsEra(err error) bool {
	var rpc *wire.Error
	var status *wire.HTTPError
	switch {
	case errors.As(err, &rpc):
		return true
	case errors.As(err, &status):
		return status.Status >= 400 && status.Status < 500 && !unavailable(status.Status) &&
			status.Status != http.StatusUnauthorized && status.Status != http.StatusForbidden
	}
	return errors.Is(err, ErrNoCommonVersion)
}
