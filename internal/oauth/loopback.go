package oauth

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"kontor.dev/kontor/internal/model"
)

// The ephemeral listener for authorization servers that take only loopback
// redirects (RFC 8252 §7.3).
const (
	loopbackPort  = 33418
	loopbackTries = 16
	loopbackPath  = "/callback"
)

// listener takes a browser on this machine back to Kontor. It knows nothing: state
// and session are checked where it sends the browser.
type listener struct {
	redirectURI string
	server      *http.Server
	done        chan struct{}
}

// listen opens a listener at the first free port.
func (s *Service) listen() (*listener, error) {
	for i := range loopbackTries {
		l, err := s.listenAt(net.JoinHostPort("127.0.0.1", strconv.Itoa(loopbackPort+i)), loopbackPath)
		if err == nil {
			return l, nil
		}
	}
	return nil, model.Errorf(model.CodeServerUnavailable, "no port from %d to %d is free for the answer of the browser", loopbackPort, loopbackPort+loopbackTries-1)
}

// listenAt opens a listener at an address of this machine.
func (s *Service) listenAt(address, path string) (*listener, error) {
	if !s.begin() {
		return nil, errClosed
	}
	conn, err := (&net.ListenConfig{}).Listen(s.ctx, "tcp", address)
	if err != nil {
		s.running.Done()
		return nil, err
	}
	to := s.base() + callbackPath
	back := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.EscapedPath() != path {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Referrer-Policy", "no-referrer")
		target := to
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		http.Redirect(w, r, target, http.StatusFound)
	})
	l := &listener{
		redirectURI: fmt.Sprintf("http://%s%s", conn.Addr(), path), done: make(chan struct{}),
		server: &http.Server{Handler: back, ReadHeaderTimeout: 5 * time.Second, MaxHeaderBytes: 64 << 10},
	}
	go func() {
		defer s.running.Done()
		defer close(l.done)
		if err := l.server.Serve(conn); !errors.Is(err, http.ErrServerClosed) {
			s.o.Log.Warn("the listener for the browser's answer ended", "error", err)
		}
	}()
	return l, nil
}

// close ends the listener and waits for it; nil is none.
func (l *listener) close() {
	if l != nil {
		_ = l.server.Close()
		<-l.done
	}
}

// listenFor tells where a listener has to be for a redirect URI: at a port of this
// machine that isn't Kontor's.
func listenFor(redirectURI, base string) (address, path string, ok bool) {
	u, err := url.Parse(redirectURI)
	b, err2 := url.Parse(base)
	if err != nil || err2 != nil || u.Scheme != "http" || !loopback(u.Hostname()) || u.Port() == "" || u.Port() == b.Port() {
		return "", "", false
	}
	path = u.EscapedPath()
	if path == "" {
		path = "/"
	}
	return net.JoinHostPort(u.Hostname(), u.Port()), path, true
}
