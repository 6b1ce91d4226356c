package servers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
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
			e.Err, e.Fix = err, fixOf(e.Code, factsOf(err))
			return e
		}
	}
	e := say(model.CodeServerUnavailable, "%s", inner(err))
	e.Err, e.Fix = err, fixOf(e.Code, facts{})
	return e
}

// maxWords bounds what a stranger may put into an error.
const maxWords = 4 << 10

func say(code model.Code, format string, args ...any) *model.Error {
	return &model.Error{Code: code, Message: clip(fmt.Sprintf(format, args...), maxWords)}
}

func explainProcess(err error) *model.Error {
	var missing *stdio.NotFoundError
	var folder *stdio.FolderError
	var exit *stdio.ExitError
	var path *fs.PathError
	switch {
	case errors.As(err, &missing) && errors.Is(missing, fs.ErrPermission):
		return say(codeNotExecutable, "%s: the file may not be executed", missing.Error())
	case errors.As(err, &missing):
		return say(codeCommandNotFound, "%s", missing.Error())
	case errors.As(err, &folder):
		return say(codeFolderNotFound, "%s", folder.Error())
	case errors.As(err, &exit):
		words := exit.Error()
		if len(exit.StderrTail) > 0 {
			words += "; the last that it wrote to stderr: " + strings.Join(exit.StderrTail, lineBreak)
		}
		code := causeOf(strings.Join(exit.StderrTail, "\n"))
		if code == "" {
			code = codeExited
		}
		return say(code, "%s", words)
	case errors.As(err, &path) && errors.Is(err, syscall.ENOEXEC):
		return say(codeWrongPlatform, "this machine can't execute %s", path.Path)
	case errors.As(err, &path) && errors.Is(err, fs.ErrNotExist):
		return say(codeNoInterpreter, "%s is there, but the program that its first line (#!) names is not", path.Path)
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
	case code == 403:
		return say(codeForbidden, "the server refuses (HTTP 403)")
	case code == 400 && strings.Contains(string(status.Body), "HTTP request to an HTTPS server"):
		return say(codeTLSExpected, "%s wants TLS", place(status.URL))
	case html && code < 300:
		return say(codeHTML, "the server sent a web page, not MCP; check the address: %s", place(status.URL))
	case code == 404 || code == 405:
		return say(codeWrongPath, "nothing at %s speaks MCP (HTTP %d)", place(status.URL), code)
	case code == 429:
		return say(codeRateLimited, "the server asks to be left alone for a while (HTTP 429)")
	case code >= 300 && code < 400:
		return explainRedirect(err, code)
	case code == 502 || code == 503 || code == 504:
		return say(codeServerDown, "%s", status.Error())
	case code < 300:
		return say(model.CodeProtocol, "the server answered without an MCP message (HTTP %d, %q)", code, status.ContentType)
	}
	return say(codeHTTPStatus, "%s", status.Error())
}

// explainRedirect says where to, as far as is known. What answers to 302 and 303 is
// a page, in practice somebody's sign-in.
func explainRedirect(err error, status int) *model.Error {
	answer := (*endpoint.AnswerError)(nil)
	switch {
	case !errors.As(err, &answer):
		return say(codeRedirected, "the server redirects to another place (HTTP %d), which is not followed", status)
	case status == http.StatusFound || status == http.StatusSeeOther:
		return say(codeHTML, "%s", answer.Error())
	}
	return say(codeRedirected, "%s", answer.Error())
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
		code := ""
		if rpc.Code != 0 { // none that is a number was sent
			code = fmt.Sprintf(" (%d)", rpc.Code)
		}
		return say(model.CodeServerError, "the server answered with an error: %s%s", rpc.Message, code)
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
	var request *url.Error
	var guarded *netguard.RefusedError
	switch {
	case errors.As(err, &guarded):
		return say(codeAddressRefused, "%s", guarded.Error())
	case errors.As(err, &dns) && dns.IsNotFound:
		return say(codeHostNotFound, "there is no host %s", dns.Name)
	case errors.As(err, &dns):
		return say(codeDNS, "the name %s could not be looked up (%s)", dns.Name, dns.Err)
	case isTLS(err):
		return explainTLS(err)
	case errors.Is(err, syscall.ECONNREFUSED) && errors.As(err, &op) && op.Addr != nil:
		return say(codeConnectionRefused, "nothing listens at %s (connection refused)", op.Addr)
	case errors.Is(err, syscall.ECONNREFUSED):
		return say(codeConnectionRefused, "nothing listens at this address (connection refused)")
	case errors.Is(err, client.ErrOutcomeUnknown), errors.Is(err, wire.ErrClosed), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return say(codeConnectionLost, "the connection broke")
	case errors.As(err, &op):
		return say(codeUnreachable, "the server can't be reached: %s", op.Err)
	case errors.As(err, &request):
		// Its own words hold the whole address.
		return say(codeUnreachable, "the server can't be reached: %s", request.Err)
	}
	return nil
}

func explainTLS(err error) *model.Error {
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return say(codeNoTLS, "the server doesn't speak TLS at this address")
	case errors.As(err, &authority):
		return say(codeTLSUntrusted, "the server's certificate is not trusted: %s", authority.Error())
	case errors.As(err, &host):
		return say(codeTLSHost, "the server's certificate is for another host: %s", host.Error())
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return say(codeTLSExpired, "the server's certificate is not valid at this time: %s", invalid.Error())
	}
	return say(codeTLS, "TLS failed: %s", inner(err))
}
