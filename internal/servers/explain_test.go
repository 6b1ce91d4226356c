package servers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/netguard"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	status := func(code int, contentType string) *wire.HTTPError {
		return &wire.HTTPError{Status: code, ContentType: contentType, URL: "https://h/login?next=secret", Header: http.Header{}}
	}
	scope := status(403, "text/plain")
	scope.Header.Set("WWW-Authenticate", `Bearer error="insufficient_scope"`)
	address := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	refused := &url.Error{Op: "Post", URL: "http://h/?key=secret", Err: &net.OpError{Op: "dial", Net: "tcp", Addr: address,
		Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}}
	cases := []struct {
		name  string
		err   error
		code  model.Code
		words string
	}{
		{"known already", fmt.Errorf("x: %w", model.Errorf(model.CodeDisabled, "off")), model.CodeDisabled, "off"},
		{"exit", &client.StartError{Stage: client.StageInitialize, Err: &stdio.ExitError{Command: "node", ExitCode: 3, StderrTail: []string{"config.yaml: no such file", "bye"}}},
			codeExited, `command "node" exited with code 3; the last that it wrote to stderr: config.yaml: no such file ⏎ bye`},
		{"exit while a call ran", fmt.Errorf("%w: %w", client.ErrOutcomeUnknown, &stdio.ExitError{Command: "node", ExitCode: -1, Signal: "killed"}),
			codeExited, `command "node" was ended by a signal: killed`},
		{"no command", &client.StartError{Stage: client.StageDial, Err: &stdio.NotFoundError{Command: "npx", Path: "/usr/bin"}},
			codeCommandNotFound, `command "npx" not found in PATH "/usr/bin"`},
		{"start limit", &client.StartError{Stage: client.StageInitialize, Err: &limitError{2 * time.Minute}},
			model.CodeTimeout, "the server did not answer initialize within 2 min"},
		{"start limit after a stray answer", &client.StartError{Stage: client.StageProbe, Stray: "an answer came for id 0", Err: &limitError{time.Second}},
			model.CodeTimeout, "the server did not answer server/discover within 1 s; an answer came for id 0"},
		{"list limit", &stageError{"tools/list", &limitError{time.Minute}}, model.CodeTimeout, "the server did not answer tools/list within 1 min"},
		{"deadline", context.DeadlineExceeded, model.CodeTimeout, "the server did not answer in time"},
		{"401", &client.StartError{Stage: client.StageProbe, Err: status(401, "")}, model.CodeNeedsSignIn, "the server asks for a sign-in (HTTP 401)"},
		{"403 of scope", scope, model.CodeInsufficientScope, "the server asks for more rights than were granted (HTTP 403)"},
		{"403", status(403, ""), codeForbidden, "the server refuses (HTTP 403)"},
		{"404", status(404, "text/html"), codeWrongPath, "nothing at https://h/login speaks MCP (HTTP 404)"},
		{"a web page", status(200, "text/html; charset=utf-8"), codeHTML, "the server sent a web page, not MCP; check the address: https://h/login"},
		{"an odd answer", status(200, "image/png"), model.CodeProtocol, `the server answered without an MCP message (HTTP 200, "image/png")`},
		{"a redirect", status(302, ""), codeRedirected, "the server redirects to another place (HTTP 302), which is not followed"},
		{"a redirect to a page", &endpoint.AnswerError{Reason: "it redirects to /login", Answer: &wire.HTTPError{Status: 302}}, codeHTML, "it redirects to /login"},
		{"a server that has moved", &endpoint.AnswerError{Reason: "it has moved to /new", Answer: &wire.HTTPError{Status: 301}}, codeRedirected, "it has moved to /new"},
		{"503", status(503, ""), codeServerDown, "the server answered HTTP 503 Service Unavailable"},
		{"an error whose code is no number", &wire.Error{Message: "bad"}, model.CodeServerError, "the server answered with an error: bad"},
		{"an error of the server", &wire.Error{Code: -32602, Message: "bad"}, model.CodeServerError, "the server answered with an error: bad (-32602)"},
		{"versions", &client.StartError{Stage: client.StageVersion, Err: fmt.Errorf("%w: it offers 1999", client.ErrNoCommonVersion)},
			codeNoCommonVersion, "no protocol version in common: it offers 1999"},
		{"too large", fmt.Errorf("%w: over 16 MiB", wire.ErrTooLarge), model.CodeTooLarge, "message too large: over 16 MiB"},
		{"no MCP", fmt.Errorf("%w: odd", client.ErrProtocol), model.CodeProtocol, "the server broke the protocol: odd"},
		{"session lost", wire.ErrSessionLost, codeConnectionLost, "the server no longer knows this session"},
		{"closed", wire.ErrClosed, codeConnectionLost, "the connection broke"},
		{"refused", &client.StartError{Stage: client.StageProbe, Err: refused}, codeConnectionRefused, "nothing listens at 127.0.0.1:9 (connection refused)"},
		{"no host", &url.Error{Op: "Post", URL: "http://h", Err: &net.DNSError{Name: "nope.example", Err: "no such host", IsNotFound: true}}, codeHostNotFound, "there is no host nope.example"},
		{"certificate", &url.Error{Err: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}}, codeTLSUntrusted,
			"the server's certificate is not trusted: x509: certificate signed by unknown authority"},
		{"no TLS", &url.Error{Err: tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake"}}, codeNoTLS,
			"the server doesn't speak TLS at this address"},
		{"unreachable", &url.Error{Op: "Post", URL: "http://h/?key=secret", Err: errors.New("network is down")}, codeUnreachable, "the server can't be reached: network is down"},
		{"guarded", &url.Error{Op: "Post", URL: "http://h", Err: &netguard.RefusedError{Host: "169.254.1.1", Why: "it is a link-local address"}},
			codeAddressRefused, "169.254.1.1 is refused: it is a link-local address"},
		{"no folder", &client.StartError{Stage: client.StageDial, Err: errors.New("working directory \"/x\" is no folder")},
			model.CodeServerUnavailable, "working directory \"/x\" is no folder"},
		{"anything else", errors.New("odd"), model.CodeServerUnavailable, "odd"},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := explain(tc.err)
			if got.Code != tc.code || got.Message != tc.words {
				t.Errorf("got %s %q, want %s %q", got.Code, got.Message, tc.code, tc.words)
			}
			if tc.name != "known already" && !errors.Is(got, tc.err) {
				t.Error("the cause is lost")
			}
		})
	}
	if got := explain(nil); got != nil {
		t.Errorf("explain(nil) = %v", got)
	}
}
