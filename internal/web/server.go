// Package web owns what the browser and the API's clients meet: the route table,
// who may come in, the REST API, the socket and the pages. It refuses to know how
// servers are connected, how calls run or where rows are kept: it declares what it
// needs of them as small interfaces, and app hands them in.
package web

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"sync/atomic"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

const cookiePrefix = "kontor_"

// Options are what a Server works with. All but Log, Assets, DevURL, BaseURL and
// AllowedHosts are needed.
type Options struct {
	Access    *access.Service
	Servers   Servers
	SignIn    SignIn
	Catalogue Catalogue
	Calls     Calls
	Inbox     Inbox
	Chat      Chat
	Models    Models
	Policies  Policies
	Secrets   Secrets
	Settings  Settings
	Media     Media
	Logs      Logs
	Bus       Bus
	Hub       Hub

	// ListenAddr is the host:port that is listened on. Its port names the cookie.
	ListenAddr string
	// BaseURL is the address that browsers use, when the command line or the
	// environment fixes it; it can't be changed in Settings then.
	BaseURL      string
	AllowedHosts []string
	// Assets is the built SPA; DevURL the address of a running Vite instead.
	Assets fs.FS
	DevURL string
	About  wire.About
	// LinkCommand is how this program is called for a sign-in link.
	LinkCommand string
	// Demo is the bundled demo server, for set-up and the empty Servers page.
	Demo model.Server
	Log  *slog.Logger
}

// Server answers HTTP.
type Server struct {
	o     Options
	build *build
	// settings are read on every request and change rarely.
	settings atomic.Pointer[wire.Settings]
	origin   atomic.Pointer[origin]
	topics   *topics
}

// New makes a server and its routes. Without Run no news reaches the sockets.
func New(ctx context.Context, o Options) (*Server, http.Handler, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	b, err := readBuild(o.Assets, o.DevURL)
	if err != nil {
		return nil, nil, err
	}
	s := &Server{o: o, build: b, topics: newTopics(o.Logs)}
	if err := s.loadSettings(ctx); err != nil {
		return nil, nil, fmt.Errorf("settings: %w", err)
	}
	e, err := s.routes()
	if err != nil {
		return nil, nil, err
	}
	return s, e, nil
}

// SignInLink is the address that a one-time code signs in at.
func (s *Server) SignInLink(code string) string { return s.BaseURL() + "/login?code=" + code }

// Document is the OpenAPI 3.1 document of the API. It is in git, so it bears no
// build's version.
func Document() ([]byte, error) {
	api := newAPI(echo.New())
	(&Server{}).operations(table{api, nil})
	return document(api)
}
