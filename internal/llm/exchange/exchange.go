// Package exchange is what the HTTP providers have in common: one request and its
// stream, watched for silence, and whatever goes wrong turned into an error that
// a person can read and that holds no key. It knows HTTP and the several shapes
// of providers' error bodies, and nothing of what they stream.
package exchange

import (
	"bufio"
	"context"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// DefaultSilence is how long a stream may say nothing, before its first byte and
// between two: local models take minutes to read a long conversation.
const DefaultSilence = 10 * time.Minute

const (
	// linger is how long a complete answer is kept waiting for its price.
	linger       = 2 * time.Second
	maxErrorBody = 64 << 10
	// maxStream is the most that one answer may take on the wire: events carry
	// much more than what they say.
	maxStream = 256 << 20
)

var (
	errSilent  = errors.New("silence")
	errTooLong = errors.New("the stream is too long")
)

// Options are the same for all exchanges with a provider.
type Options struct {
	// Host is the provider's name in messages.
	Host string
	// Secrets are blotted out of everything that the provider says.
	Secrets []string
	// Silence is DefaultSilence when zero.
	Silence time.Duration
}

// Exchange is one request and its stream. Close it.
type Exchange struct {
	options  Options
	parent   context.Context
	ctx      context.Context
	cancel   context.CancelCauseFunc
	watch    *time.Timer
	answered atomic.Bool
}

// Open begins an exchange.
func Open(ctx context.Context, o Options) *Exchange {
	if o.Silence <= 0 {
		o.Silence = DefaultSilence
	}
	x := &Exchange{options: o, parent: ctx}
	x.ctx, x.cancel = context.WithCancelCause(ctx)
	x.watch = time.AfterFunc(o.Silence, func() { x.cancel(errSilent) })
	return x
}

// Context is for the request; it ends with the exchange.
func (x *Exchange) Context() context.Context { return x.ctx }

// Close ends the request and its stream.
func (x *Exchange) Close() {
	x.watch.Stop()
	x.cancel(nil)
}

// Do sends a request by next: a middleware of both SDKs. An answer that isn't a
// success comes back as the error that it stands for; the body of another is
// watched for silence.
func (x *Exchange) Do(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := next(req)
	if err != nil {
		return nil, err
	}
	x.answered.Store(true)
	x.watch.Reset(x.options.Silence)
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode >= 200 && res.StatusCode < 300 && kind != "text/html" {
		// The blank line dispatches a last event that has none behind it: the SDKs'
		// readers drop it otherwise, as the standard says, and servers leave it out.
		w := &watched{body: res.Body, x: x}
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(w, strings.NewReader("\n\n")), res.Body}
		return res, nil
	}
	defer res.Body.Close()
	// A body that breaks off is still worth showing.
	body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	if kind == "text/html" && res.StatusCode < 300 {
		return nil, x.options.notAnAPI()
	}
	return nil, x.options.refused(res.StatusCode, res.Header, body)
}

// Linger shortens the allowed silence: the answer is complete, and what may still
// come is its price.
func (x *Exchange) Linger() {
	x.options.Silence = min(x.options.Silence, linger)
	x.watch.Reset(x.options.Silence)
}

// Said turns an error that a provider sent inside its stream into ours.
func (x *Exchange) Said(body []byte) error { return x.options.refused(0, nil, body) }

// Cut is the error of a stream that ended before its answer did.
func (x *Exchange) Cut() error { return x.Failure(io.ErrUnexpectedEOF) }

// Unreadable is the error of an answer that is not what the protocol says.
func (x *Exchange) Unreadable(what string) error {
	return &model.Error{
		Code:    model.CodeProtocol,
		Message: x.options.Host + " sent something that can't be read: " + x.options.clean(what),
	}
}

// Failure turns whatever ended the exchange into the error to show. The cause
// that it keeps has no address: addresses may hold keys.
func (x *Exchange) Failure(err error) error {
	if x.parent.Err() != nil {
		return llm.Cancelled(x.parent)
	}
	if e, ok := errors.AsType[*model.Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	host := x.options.Host
	switch {
	case errors.Is(context.Cause(x.ctx), errSilent):
		return model.Errorf(model.CodeTimeout, "%s said nothing for %v; the answer was given up.", host, x.options.Silence)
	case errors.Is(err, errTooLong), errors.Is(err, bufio.ErrTooLong):
		return model.Errorf(model.CodeTooLarge, "%s sent more than an answer may have; it was stopped.", host)
	case x.answered.Load():
		return &model.Error{Code: llm.CodeCutStream, Message: "The answer of " + host + " broke off before its end.", Err: x.options.cause(err)}
	}
	return &model.Error{
		Code: llm.CodeUnreachable, Message: host + " can't be reached: " + x.options.clean(reason(err)),
		Fix: "Check the model's address and that its server runs.", Err: x.options.cause(err),
	}
}

// reason is the innermost part of a connection error, which names no address but
// the host's.
func reason(err error) string {
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return "no such host"
	} else if ok {
		return e.Err
	}
	if e, ok := errors.AsType[*net.OpError](err); ok {
		return e.Err.Error()
	}
	return err.Error()
}

// watched is a body whose every read is a sign of life.
type watched struct {
	body io.Reader
	x    *Exchange
	read int64
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.body.Read(p)
	if n > 0 {
		w.x.watch.Reset(w.x.options.Silence)
	}
	if w.read += int64(n); w.read > maxStream {
		return n, errTooLong
	}
	return n, err
}

// FailureOr is Failure, or Cut for a stream that ended without an error.
func (x *Exchange) FailureOr(err error) error {
	if err == nil {
		return x.Cut()
	}
	return x.Failure(err)
}
