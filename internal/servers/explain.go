package servers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/netguard"
)

// Codes of what keeps a server from being ready, besides those of model.
const (
	codeCommandNotFound   model.Code = "command_not_found"
	codeNotExecutable     model.Code = "command_not_executable"
	codeExited            model.Code = "exited"
	codeConnectionRefused model.Code = "connection_refused"
	codeHostNotFound      model.Code = "host_not_found"
	codeAddressRefused    model.Code = "address_refused"
	codeTLS               model.Code = "tls"
	codeUnreachable       model.Code = "unreachable"
	codeConnectionLost    model.Code = "connection_lost"
	codeNoCommonVersion   model.Code = "no_common_version"
)

// stageError says in which step of getting ready something went wrong, where
// client.StartError doesn't.
type stageError struct {
	stage string
	err   error
}

func (e *stageError) Error() string { return e.stage + ": " + e.err.Error() }
func (e *stageError) Unwrap() error { return e.err }

// explain says in words what went wrong with a server, under a stable code; nil
// for nil. The cause stays in the chain. The words may still hold a secret that
// the server or the system repeated: whoever shows them redacts them.
func explain(err error) *model.Error {
	var known *model.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	}
	for _, explainer := range []func(error) *model.Error{
		explainProcess, explainTime, explainStatus, explainProtocol, explainNetwork,
	} {
		if e := explainer(err); e != nil {
			e.Err = err
			return e
		}
	}
	e := say(model.CodeServerUnavailable, "%s", inner(err))
	e.Err = err
	return e
}

// maxWords bounds what a stranger may put into an error.
const maxWords = 4 << 10

func say(code model.Code, format string, args ...any) *model.Error {
	return &model.Error{Code: code, Message: clip(fmt.Sprintf(format, args...), maxWords)}
}

func explainProcess(err error) *model.Error {
	var missing *stdio.NotFoundError
	var exit *stdio.ExitError
	switch {
	case errors.As(err, &missing) && errors.Is(missing, fs.ErrPermission):
		return say(codeNotExecutable, "%s: the file may not be executed", missing.Error())
	case errors.As(err, &missing) && missing.Path != "":
		return say(codeCommandNotFound, "%s. Give the whole path, or set PATH in the server's env", missing.Error())
	case errors.As(err, &missing):
		return say(codeCommandNotFound, "%s", missing.Error())
	case errors.As(err, &exit):
		words := exit.Error()
		if len(exit.StderrTail) > 0 {
			words += "; the last that it wrote to stderr: " + strings.Join(exit.StderrTail, lineBreak)
		}
		return say(codeExited, "%s", words)
	}
	return nil
}

func explainTime(err error) *model.Error {
	var limit *limitError
	isLimit := errors.As(err, &limit)
	if !isLimit && !errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	doing, stray := "answer", ""
	var starting *client.StartError
	var stage *stageError
	switch {
	case errors.As(err, &starting):
		doing = map[client.Stage]string{
			client.StageDial: "let itself be reached", client.StageProbe: "answer server/discover",
			client.StageInitialize: "answer initialize", client.StageVersion: "settle on a version",
		}[starting.Stage]
		if starting.Stray != "" {
			stray = "; " + starting.Stray
		}
	case errors.As(err, &stage):
		doing = "answer " + stage.stage
	}
	if isLimit {
		return say(model.CodeTimeout, "the server did not %s within %s%s", doing, model.InWords(limit.limit), stray)
	}
	return say(model.CodeTimeout, "the server did not %s in time%s", doing, stray)
}

func explainStatus(err error) *model.Error {
	var status *wire.HTTPError
	if !errors.As(err, &status) {
		return nil
	}
	challenge := strings.Join(status.Header.Values("WWW-Authenticate"), ", ")
	html := strings.Contains(status.ContentType, "html")
	switch code := status.Status; {
	case code == 401:
		return say(model.CodeNeedsSignIn, "the server asks for a sign-in (HTTP 401)")
	case code == 403 && strings.Contains(challenge, "insufficient_scope"):
		return say(model.CodeInsufficientScope, "the server asks for more rights than were granted (HTTP 403)")
	case html && code < 300:
		return say("html", "%s sent a web page, not MCP: check the address", place(status.URL))
	case code == 404 || code == 405:
		return say("http_status", "nothing at %s speaks MCP (HTTP %d): check the address", place(status.URL), code)
	case code == 429:
		return say("http_status", "the server asks to be left alone for a while (HTTP 429)")
	case code >= 300 && code < 400:
		return explainRedirect(err, code)
	case code < 300:
		return say(model.CodeProtocol, "the server answered without an MCP message (HTTP %d, %q)", code, status.ContentType)
	}
	return say("http_status", "%s", status.Error())
}

// explainRedirect says where to, as far as is known. What answers to 302 and 303 is
// a page, in practice somebody's sign-in.
func explainRedirect(err error, status int) *model.Error {
	answer := (*endpoint.AnswerError)(nil)
	switch {
	case !errors.As(err, &answer):
		return say("http_status", "the server redirects to another place (HTTP %d), which is not followed: enter the final address", status)
	case status == http.StatusFound || status == http.StatusSeeOther:
		return say("html", "%s", answer.Error())
	}
	return say("http_status", "%s", answer.Error())
}

// place names an address without what may hold a secret.
func place(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "the address"
	}
	return u.Scheme + "://" + u.Host + u.EscapedPath()
}

func explainProtocol(err error) *model.Error {
	var rpc *wire.Error
	switch {
	case errors.As(err, &rpc):
		return say(model.CodeServerError, "the server answered with an error: %s (%d)", rpc.Message, rpc.Code)
	case errors.Is(err, client.ErrNoCommonVersion):
		return say(codeNoCommonVersion, "%s", inner(err))
	case errors.Is(err, wire.ErrEndpointRefused):
		return say(codeAddressRefused, "%s", inner(err))
	case errors.Is(err, wire.ErrTooLarge):
		return say(model.CodeTooLarge, "%s", inner(err))
	case errors.Is(err, client.ErrProtocol), errors.Is(err, client.ErrInputUnsupported):
		return say(model.CodeProtocol, "%s", inner(err))
	case errors.Is(err, wire.ErrSessionLost):
		return say(codeConnectionLost, "the server no longer knows this session")
	}
	return nil
}

// inner is the error in its own words, without the step before it.
func inner(err error) string {
	var starting *client.StartError
	if errors.As(err, &starting) {
		return starting.Err.Error()
	}
	return err.Error()
}

func explainNetwork(err error) *model.Error {
	var dns *net.DNSError
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var request *url.Error
	var guarded *netguard.RefusedError
	switch {
	case errors.As(err, &guarded):
		return say(codeAddressRefused, "%s", guarded.Error())
	case errors.As(err, &dns):
		return say(codeHostNotFound, "there is no host %s (%s)", dns.Name, dns.Err)
	case errors.As(err, &certificate), errors.As(err, &authority):
		return say(codeTLS, "the server's certificate is not trusted: %s. For a private authority set SSL_CERT_FILE", certificateReason(err))
	case errors.As(err, &record):
		return say(codeTLS, "the server doesn't speak TLS at this address: try http:// instead of https://")
	case errors.Is(err, syscall.ECONNREFUSED) && errors.As(err, &op) && op.Addr != nil:
		return say(codeConnectionRefused, "nothing listens at %s (connection refused)", op.Addr)
	case errors.Is(err, syscall.ECONNREFUSED):
		return say(codeConnectionRefused, "nothing listens at this address (connection refused)")
	case errors.Is(err, client.ErrOutcomeUnknown), errors.Is(err, wire.ErrClosed):
		return say(codeConnectionLost, "the connection broke")
	case errors.As(err, &request):
		// Its own words hold the whole address.
		return say(codeUnreachable, "the server can't be reached: %s", request.Err)
	}
	return nil
}

func certificateReason(err error) string {
	var certificate *tls.CertificateVerificationError
	if errors.As(err, &certificate) {
		return certificate.Err.Error()
	}
	return "unknown authority"
}

// evidence is what was seen of a server that failed: the end of stderr, or the
// beginning of an answer that was none. It may hold secrets.
func evidence(err error) string {
	var exit *stdio.ExitError
	var status *wire.HTTPError
	switch {
	case errors.As(err, &exit):
		return strings.Join(exit.StderrTail, "\n")
	case errors.As(err, &status):
		return strings.ToValidUTF8(string(status.Body), "\uFFFD")
	}
	return ""
}
