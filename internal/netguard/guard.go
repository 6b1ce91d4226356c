// Package netguard makes the HTTP clients through which anything is reached that
// a server can name. It owns the question which addresses may be connected to,
// decided on the address itself at the moment of dialing, so that no trick with
// DNS gets past it. It refuses to know what is sent.
package netguard

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"sync/atomic"
	"time"
)

// Options describe the server that a Guard is for.
type Options struct {
	// Server is the URL that the person typed.
	Server string
	// Proxy is http.ProxyFromEnvironment when nil.
	Proxy func(*http.Request) (*url.URL, error)
	// MaxIdleConnsPerHost is how many connections stay open between calls.
	// Default 64: as many calls as may run at a time.
	MaxIdleConnsPerHost int
	// HeaderTimeout bounds the wait for an answer's headers from what the server
	// named. Default 15 s. The server itself has no such limit: a tool may run for
	// hours before its answer begins.
	HeaderTimeout time.Duration
	// Timeout bounds a whole exchange with what the server named. Default 30 s.
	Timeout time.Duration
}

// Guard makes the two clients for one server: a server may live anywhere the
// person typed, and what it names (metadata, authorization servers) may be in a
// private network or on this machine only when the server itself is.
type Guard struct {
	host   string
	lookup func(ctx context.Context, host string) ([]netip.Addr, error)
	// public is set once the server was reached at a public address. It stays:
	// a name that points somewhere else later makes no one trustworthy.
	public       atomic.Bool
	typed, named *http.Client
}

// New makes a guard. The clients keep no connection open for more than a few
// seconds without use, so a guard needs no closing.
func New(o Options) (*Guard, error) {
	u, err := url.Parse(o.Server)
	if err != nil || u.Hostname() == "" {
		return nil, errors.New("netguard: the server's address names no host")
	}
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	if o.MaxIdleConnsPerHost == 0 {
		o.MaxIdleConnsPerHost = 64
	}
	if o.HeaderTimeout == 0 {
		o.HeaderTimeout = 15 * time.Second
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	g := &Guard{host: u.Hostname(), lookup: resolve}
	g.typed = &http.Client{Transport: newTransport(g.checkTyped, o.Proxy, o.MaxIdleConnsPerHost, 0), CheckRedirect: sameOriginOnly}
	g.named = &http.Client{
		Transport:     newTransport(g.checkNamed, o.Proxy, o.MaxIdleConnsPerHost, o.HeaderTimeout),
		CheckRedirect: sameOriginOnly, Timeout: o.Timeout,
	}
	return g, nil
}

// Typed is the client for the URL that the person typed. It has no time limits
// but those for connecting.
func (g *Guard) Typed() *http.Client { return g.typed }

// Named is the client for every URL that the server named.
func (g *Guard) Named() *http.Client { return g.named }

type check func(ctx context.Context, addr netip.Addr) error

func (g *Guard) checkTyped(_ context.Context, addr netip.Addr) error {
	if class, _ := Classify(addr); class == Public {
		g.public.Store(true)
	}
	return Check(addr, true)
}

func (g *Guard) checkNamed(ctx context.Context, addr netip.Addr) error {
	err := Check(addr, false)
	if err != nil && Check(addr, true) == nil && g.private(ctx) {
		return nil
	}
	return err
}

// private tells whether the server itself is in a private place. Before it was
// ever reached its name decides, with all the addresses that it has.
func (g *Guard) private(ctx context.Context) bool {
	if g.public.Load() {
		return false
	}
	addrs, err := g.lookup(ctx, g.host)
	if err != nil {
		return false
	}
	for _, a := range addrs {
		if class, _ := Classify(a); class != Private {
			return false
		}
	}
	return len(addrs) > 0
}

func resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, ok := literal(host); ok {
		return []netip.Addr{addr}, nil
	}
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}
