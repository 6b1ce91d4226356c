package kit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// sessionIdle is how long an HTTP session of the older revision outlives its
	// last request.
	sessionIdle = time.Hour
	// drain is how long running requests may take to see that the server stops.
	drain = 2 * time.Second
	// readHeader bounds a client that opens a connection and says nothing.
	readHeader = 10 * time.Second
	// maxBody is the largest request, as over stdio.
	maxBody = 16 << 20
)

// Stdio serves one client over in and out until it closes in, or ctx ends; both
// are a regular end. Running calls are cancelled then.
func Stdio(ctx context.Context, server *mcp.Server, in io.ReadCloser, out io.WriteCloser) error {
	server.AddReceivingMiddleware(endWith(ctx))
	err := server.Run(ctx, Transport(&mcp.IOTransport{Reader: in, Writer: out}))
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("serve stdio: %w", err)
	}
	return nil
}

// HTTP serves any number of clients at the path /mcp of listener, which it closes,
// until ctx ends.
func HTTP(ctx context.Context, server *mcp.Server, listener net.Listener) error {
	server.AddReceivingMiddleware(endWith(ctx))
	mux := http.NewServeMux()
	mux.Handle("/mcp", Handler(server))
	httpServer := &http.Server{Handler: mux, ReadHeaderTimeout: readHeader}

	served := make(chan error, 1)
	go func() { served <- httpServer.Serve(listener) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve %s: %w", listener.Addr(), err)
	case <-ctx.Done():
	}

	// Sessions first: their open streams are what Shutdown would wait for.
	for session := range server.Sessions() {
		_ = session.Close()
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	err := httpServer.Shutdown(grace)
	if errors.Is(err, context.DeadlineExceeded) {
		err = httpServer.Close()
	}
	<-served
	if err != nil {
		return fmt.Errorf("stop serving %s: %w", listener.Addr(), err)
	}
	return nil
}

// Loopback listens on addr (host:port) and refuses any address that other machines
// reach: bundled servers have no sign-in of their own.
func Loopback(ctx context.Context, addr string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		return nil, errors.Join(
			fmt.Errorf("%s can be reached from other machines and this server has no sign-in: listen on 127.0.0.1", addr),
			listener.Close())
	}
	return listener, nil
}

// Handler serves both revisions of the protocol at one address. The SDK has a
// handler with sessions for 2025-11-25 and older, and one without for 2026-07-28;
// a request says by its headers which it is for. Pages of other origins are
// refused.
func Handler(server *mcp.Server) http.Handler {
	get := func(*http.Request) *mcp.Server { return server }
	sessions := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		SessionTimeout: sessionIdle, MaxRequestBodyBytes: maxBody,
	})
	stateless := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true,
	})
	return http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		handler := sessions
		if forStateless(r.Header) {
			handler = stateless
		}
		handler.ServeHTTP(eventWriter{w}, r)
	}))
}

// forStateless tells whether a request is of 2026-07-28 or newer: it names its
// revision, and at least its method, in headers (basic/transports/streamable-http,
// "Standard request headers").
func forStateless(header http.Header) bool {
	return header.Get("Mcp-Protocol-Version") >= statelessRevision || header.Get("Mcp-Method") != ""
}

// endWith cancels every running request when done ends. The SDK detaches requests
// from the context that it serves with, and then waits for them when it closes.
func endWith(done context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			ctx, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			stop := context.AfterFunc(done, func() { cancel(context.Cause(done)) })
			defer stop()
			return next(ctx, method, req)
		}
	}
}
