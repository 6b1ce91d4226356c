package client

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"kontor.dev/kontor/internal/mcp/wire"
)

func TestJudgeDiscover(t *testing.T) {
	t.Parallel()
	rpc := func(code int64, data string) error {
		return &wire.Error{Code: code, Message: "no", Data: json.RawMessage(data)}
	}
	status := func(s int) error { return &wire.HTTPError{Status: s} }
	for _, test := range []struct {
		name   string
		result string
		err    error
		http   bool
		want   verdict
	}{
		{"our version", `{"supportedVersions":["2027-01-01","2026-07-28","2025-11-25"]}`, nil, false, verdict{step: stepModern, version: "2026-07-28"}},
		{"older versions only", `{"supportedVersions":["2025-03-26","2025-06-18"]}`, nil, true, verdict{step: stepInitialize, version: "2025-06-18"}},
		{"no DiscoverResult", `{}`, nil, false, verdict{step: stepInitialize, version: newestLegacy}},
		{"a list of no strings", `{"supportedVersions":7}`, nil, false, verdict{step: stepInitialize, version: newestLegacy}},
		{"method not found", "", rpc(-32601, ""), false, verdict{step: stepInitialize, version: newestLegacy}},
		{"not initialized", "", rpc(-32000, ""), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"unsupported, ours offered", "", rpc(-32022, `{"supported":["2026-07-28"]}`), true, verdict{step: stepDiscover, version: "2026-07-28"}},
		{"unsupported, older offered", "", rpc(-32022, `{"supported":["2024-11-05"]}`), true, verdict{step: stepInitialize, version: "2024-11-05"}},
		{"unsupported, no list", "", rpc(-32022, ""), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"missing capability", "", rpc(-32021, ""), true, verdict{step: stepFail}},
		{"header mismatch", "", rpc(-32020, ""), true, verdict{step: stepFail}},
		{"400", "", status(400), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"403", "", status(403), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"404", "", status(404), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"405", "", status(405), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"500", "", status(500), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"501", "", status(501), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"200 without MCP", "", status(200), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"202", "", status(202), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"401", "", status(401), true, verdict{step: stepFail}},
		{"403, more rights", "", &wire.HTTPError{Status: 403, Header: http.Header{"Www-Authenticate": {`Bearer realm="x"`, `Bearer error="insufficient_scope", scope="a b"`}}}, true, verdict{step: stepFail}},
		{"429", "", status(429), true, verdict{step: stepFail}},
		{"502", "", status(502), true, verdict{step: stepFail}},
		{"503", "", status(503), true, verdict{step: stepFail}},
		{"504", "", status(504), true, verdict{step: stepFail}},
		{"connection refused", "", wire.ErrNotSent, true, verdict{step: stepFail}},
		{"answer cut over HTTP", "", afterSending(io.ErrUnexpectedEOF), true, verdict{step: stepInitialize, version: newestLegacy}},
		{"pipe broken", "", io.ErrClosedPipe, false, verdict{step: stepFail}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got := judgeDiscover(json.RawMessage(test.result), test.err, test.http)
			if got.step != test.want.step || got.version != test.want.version {
				t.Errorf("got step %d version %q, want step %d version %q", got.step, got.version, test.want.step, test.want.version)
			}
			if (got.err != nil) != (got.step == stepFail) {
				t.Errorf("step %d comes with error %v", got.step, got.err)
			}
		})
	}
}

func TestAVersionListWithNothingInCommonIsRefusedInWords(t *testing.T) {
	t.Parallel()
	v := judgeDiscover(json.RawMessage(`{"supportedVersions":["2030-01-01"]}`), nil, false)
	if v.step != stepFail || !errors.Is(v.err, ErrNoCommonVersion) {
		t.Errorf("got step %d, %v", v.step, v.err)
	}
}

func TestJudgeInitialize(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		err  error
		want step
	}{
		{"proposes another", &wire.Error{Code: -32602, Data: json.RawMessage(`{"supported":["2024-11-05"],"requested":"1.0.0"}`)}, stepInitialize},
		{"has become modern", &wire.Error{Code: -32022, Data: json.RawMessage(`{"supported":["2026-07-28"]}`)}, stepDiscover},
		{"invalid params without a list", &wire.Error{Code: -32602}, stepFail},
		{"another error with a list", &wire.Error{Code: -32603, Data: json.RawMessage(`{"supported":["2024-11-05"]}`)}, stepFail},
		{"no answer", io.EOF, stepFail},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := judgeInitialize(test.err).step; got != test.want {
				t.Errorf("got %d, want %d", got, test.want)
			}
		})
	}
}

func TestAfterSendingLeavesTheOutcomeOpenUnlessTheServerRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err     error
		unknown bool
	}{
		{wire.ErrNotSent, false},
		{wire.ErrSessionLost, false},
		{wire.ErrTooLarge, false},
		{&wire.HTTPError{Status: 400}, false},
		{&wire.HTTPError{Status: 401}, false},
		{&wire.HTTPError{Status: 403}, false},
		{&wire.HTTPError{Status: 404}, false},
		{&wire.HTTPError{Status: 408}, true},
		{&wire.HTTPError{Status: 429}, false},
		{&wire.HTTPError{Status: 500}, true},
		{&wire.HTTPError{Status: 502}, true},
		{&wire.HTTPError{Status: 503}, false},
		{&wire.HTTPError{Status: 504}, true},
		{&wire.HTTPError{Status: 202}, true},
		{wire.ErrClosed, true},
		{io.ErrUnexpectedEOF, true},
	} {
		got := afterSending(test.err)
		if errors.Is(got, ErrOutcomeUnknown) != test.unknown || !errors.Is(got, test.err) {
			t.Errorf("%v became %v, unknown wanted: %v", test.err, got, test.unknown)
		}
	}
}
