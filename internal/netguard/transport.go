package netguard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"
)

const (
	dialTimeout = 15 * time.Second
	tlsTimeout  = 15 * time.Second
	// idleTimeout is less than the 5 s after which Node closes an idle connection:
	// a call that meets the closing is lost with an unknown outcome, while a new
	// connection costs milliseconds.
	idleTimeout = 4 * time.Second
	maxHeader   = 256 << 10
	maxHops     = 5
)

// transport sends a request directly, guarded by the address dialed, or through
// the proxy that the environment names. A proxy resolves names itself and may be
// anywhere, so there only hosts that are addresses can be checked.
type transport struct {
	proxy           func(*http.Request) (*url.URL, error)
	allowed         check
	direct, proxied *http.Transport
}

// newTransport makes a transport that connects to allowed addresses only.
func newTransport(allowed check, proxy func(*http.Request) (*url.URL, error), idle int, header time.Duration) *transport {
	base := func(control func(context.Context, string, string, syscall.RawConn) error) *http.Transport {
		return &http.Transport{
			DialContext: (&net.Dialer{
				Timeout: dialTimeout, KeepAlive: 30 * time.Second, ControlContext: control,
			}).DialContext,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    idle,
			IdleConnTimeout:        idleTimeout,
			TLSHandshakeTimeout:    tlsTimeout,
			ResponseHeaderTimeout:  header,
			MaxResponseHeaderBytes: maxHeader,
		}
	}
	t := &transport{proxy: proxy, allowed: allowed, direct: base(control(allowed)), proxied: base(nil)}
	t.proxied.Proxy = proxy
	return t
}

// control runs between name resolution and connect, once for each address tried.
func control(allowed check) func(context.Context, string, string, syscall.RawConn) error {
	return func(ctx context.Context, _, address string, _ syscall.RawConn) error {
		ap, err := netip.ParseAddrPort(address)
		if err != nil {
			return &RefusedError{Host: address, Why: "it is no IP address"}
		}
		return allowed(ctx, ap.Addr())
	}
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	proxy, err := t.proxy(req)
	if err != nil {
		closeBody(req)
		// The error itself repeats the proxy's address, password included.
		return nil, errors.New("the proxy that the environment names is no URL")
	}
	if proxy == nil {
		return t.direct.RoundTrip(req)
	}
	if err := t.checkHost(req.Context(), req.URL.Hostname()); err != nil {
		closeBody(req)
		return nil, err
	}
	return t.proxied.RoundTrip(req)
}

func (t *transport) checkHost(ctx context.Context, host string) error {
	if addr, ok := literal(host); ok {
		return t.allowed(ctx, addr)
	}
	if disguised(host) {
		return &RefusedError{Host: host, Why: "it is an address in disguise"}
	}
	return nil
}

// CloseIdleConnections makes http.Client.CloseIdleConnections work.
func (t *transport) CloseIdleConnections() {
	t.direct.CloseIdleConnections()
	t.proxied.CloseIdleConnections()
}

// closeBody keeps the promise that a RoundTripper closes the body, also on errors.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// sameOriginOnly refuses redirects to other origins: credentials and bodies would
// go along, or answers would come from where nobody asked.
func sameOriginOnly(next *http.Request, via []*http.Request) error {
	if len(via) > maxHops {
		return fmt.Errorf("more than %d redirects", maxHops)
	}
	if origin(next.URL) != origin(via[0].URL) {
		return &RefusedError{Host: origin(next.URL), Why: "it is a redirect to another origin"}
	}
	return nil
}

// origin is scheme, host and port (RFC 6454 §4).
func origin(u *url.URL) string {
	port := u.Port()
	switch scheme := strings.ToLower(u.Scheme); {
	case port != "":
	case scheme == "https":
		port = "443"
	case scheme == "http":
		port = "80"
	}
	return strings.ToLower(u.Scheme) + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
