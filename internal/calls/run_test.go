package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

func TestRunRecordsWhatKeptItFromAnAnswer(t *testing.T) {
	t.Parallel()
	refuse := func(err error) func(context.Context, string) (Conn, error) {
		return func(context.Context, string) (Conn, error) { return nil, err }
	}
	fail := func(err error) func(context.Context, string) (Conn, error) {
		return answering(func(context.Context, client.ToolCall) (json.RawMessage, error) { return nil, err })
	}
	cases := map[string]struct {
		connect func(context.Context, string) (Conn, error)
		tool    string
		state   model.CallState
		code    model.Code
		words   string
	}{
		"switched off": {answering(untilCancelled), "off", model.CallFailed, model.CodeDisabled, "tool off of server s is switched off"},
		"not to be reached": {refuse(model.Errorf("command_not_found", "command npx is not found")), "run", model.CallFailed, model.CodeServerUnavailable,
			"server s is not available: command npx is not found"},
		"needs sign-in": {refuse(model.Errorf(model.CodeNeedsSignIn, "sign in first")), "run", model.CallFailed, model.CodeNeedsSignIn, "sign in first"},
		"refused by the server": {fail(model.Errorf(model.CodeServerError, "bad arguments")), "run", model.CallFailed, model.CodeServerError,
			"bad arguments"},
		"lost after sending": {fail(model.Errorf("connection_lost", "it exited with code 3: %w", client.ErrOutcomeUnknown)), "run", model.CallUnknown, model.CodeOutcomeUnknown,
			"it may or may not have run"},
		"no result": {answering(func(context.Context, client.ToolCall) (json.RawMessage, error) { return json.RawMessage(`[]`), nil }), "run", model.CallFailed,
			model.CodeProtocol, "isn't a result"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, tc.connect)
			got, err := r.Run(context.Background(), Request{Server: "s", Tool: tc.tool})
			if err != nil {
				t.Fatal(err)
			}
			if row, _ := r.store.Call(context.Background(), got.ID); row.State != tc.state {
				t.Errorf("row = %s, want %s", row.State, tc.state)
			}
			if got.State != tc.state || got.Error == nil || got.Error.Code != tc.code || !strings.Contains(got.Error.Message, tc.words) {
				t.Errorf("got %s, %+v, want %s, %s %q", got.State, got.Error, tc.state, tc.code, tc.words)
			}
		})
	}
}

func TestRunSendsAgainOnlyWhatTheServerNeverRan(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		failures  []error
		connected int
		state     model.CallState
	}{
		"not sent once":      {[]error{fmt.Errorf("dead: %w", wire.ErrNotSent)}, 2, model.CallDone},
		"session lost once":  {[]error{fmt.Errorf("lost: %w", wire.ErrSessionLost)}, 2, model.CallDone},
		"not sent twice":     {[]error{wire.ErrNotSent, wire.ErrNotSent}, 2, model.CallFailed},
		"lost after sending": {[]error{client.ErrOutcomeUnknown}, 1, model.CallUnknown},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var connected int
			failures := tc.failures
			conn := fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) {
				if len(failures) == 0 {
					return json.RawMessage(text), nil
				}
				err := failures[0]
				failures = failures[1:]
				return nil, err
			})
			r := newRig(t, func(context.Context, string) (Conn, error) {
				connected++
				return conn, nil
			})
			got, err := r.Run(context.Background(), runTool)
			if err != nil || got.State != tc.state || connected != tc.connected {
				t.Errorf("state %s after %d connections (%v), want %s after %d", got.State, connected, err, tc.state, tc.connected)
			}
		})
	}
}

func TestASavedToolIsLookedUpOnceConnected(t *testing.T) {
	t.Parallel()
	for listed, want := range map[bool]model.CallState{true: model.CallDone, false: model.CallFailed} {
		var r *rig
		sent := false
		conn := fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) {
			sent = true
			return json.RawMessage(text), nil
		})
		r = newRig(t, func(context.Context, string) (Conn, error) {
			r.catalogue.mu.Lock()
			defer r.catalogue.mu.Unlock()
			delete(r.catalogue.tools, "mcp__s__old")
			if listed {
				r.catalogue.tools["mcp__s__old"] = model.Tool{Server: "s", Name: "old", Enabled: true}
			}
			return conn, nil
		})
		r.catalogue.add(model.Tool{Server: "s", Name: "old", Enabled: true, Saved: true})
		got, err := r.Run(context.Background(), Request{Server: "s", Tool: "old"})
		if err != nil || got.State != want || sent != listed {
			t.Errorf("still listed is %v: got %s, %+v (%v), sent %v", listed, got.State, got.Error, err, sent)
		}
	}
}

func TestUnlistedToolIsLookedUpOnceConnected(t *testing.T) {
	t.Parallel()
	for tool, want := range map[string]model.CallState{"late": model.CallDone, "never": model.CallFailed} {
		var r *rig
		conn := fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) { return json.RawMessage(text), nil })
		r = newRig(t, func(context.Context, string) (Conn, error) {
			r.catalogue.add(model.Tool{Server: "s", Name: "late", Enabled: true})
			return conn, nil
		})
		r.catalogue.listed = false
		got, err := r.Run(context.Background(), Request{Server: "s", Tool: tool})
		if err != nil || got.State != want {
			t.Errorf("%s: got %s, %+v (%v), want %s", tool, got.State, got.Error, err, want)
		}
	}
}
