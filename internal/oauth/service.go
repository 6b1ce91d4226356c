package oauth

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"kontor.dev/kontor/internal/model"
)

// Store keeps sealed bytes; records are opaque to it.
type Store interface {
	// OAuthRecord is what is kept for a server and its revision;
	// model.CodeNotFound when there is none.
	OAuthRecord(ctx context.Context, server string) (data []byte, revision int64, err error)
	// SwapOAuthRecord stores data durably, on disk when it returns, if the revision
	// is still the same (0: there is none yet), and returns the new one;
	// model.CodeConflict otherwise. nil data deletes.
	SwapOAuthRecord(ctx context.Context, server string, revision int64, data []byte) (int64, error)
	// OAuthClient is what a registration at an issuer gave for a redirect URI;
	// model.CodeNotFound when there is none.
	OAuthClient(ctx context.Context, issuer, redirectURI string) ([]byte, error)
	PutOAuthClient(ctx context.Context, issuer, redirectURI string, data []byte) error
	DeleteOAuthClient(ctx context.Context, issuer, redirectURI string) error
}

// Options are what a Service needs from the rest of the house. All but Log are
// required.
type Options struct {
	Store Store
	// Client makes the guarded client for what the server at an address names.
	Client func(serverURL string) (*http.Client, error)
	// BaseURL is Kontor's public address ("http://127.0.0.1:8787"), as it is now.
	BaseURL func() string
	// Changed is told that a server's Auth is another (any goroutine; returns at
	// once).
	Changed func(server string)
	// Hide has values masked wherever they would be shown, in place of the owner's
	// before. It returns at once.
	Hide func(owner string, values []string)
	// Log gets what a person may want to look up. Default: nothing is logged.
	Log *slog.Logger
}

// Server is a configured server whose references are expanded.
type Server struct {
	Name, URL string
	Settings  model.OAuth
}

// Service signs in to servers. It is safe for any number of goroutines.
type Service struct {
	o   Options
	now func() time.Time
	// id tells this process's marks in records from those of one before.
	id string
	// ctx ends what runs by itself: renewals and listeners.
	ctx    context.Context
	cancel context.CancelFunc
	// flights makes one renewal, or grant, of all that want one at a time.
	flights singleflight.Group

	mu       sync.Mutex
	accounts map[string]*account
	flows    map[string]*flow // by state
	closed   bool
	running  sync.WaitGroup
}

// New makes a service. It must be closed.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(context.Background())
	return &Service{
		o: o, now: time.Now, id: rand.Text(), ctx: ctx, cancel: cancel,
		accounts: map[string]*account{}, flows: map[string]*flow{},
	}
}

// closeGrace is how long Close waits for renewals under way: an answer that is
// thrown away may be a rotated token, and with it the whole sign-in.
const closeGrace = 5 * time.Second

// Close ends every flow and its listener, and waits for what runs.
func (s *Service) Close() error {
	s.mu.Lock()
	s.closed = true
	var open []*flow
	for _, f := range s.flows {
		open = append(open, f)
	}
	s.mu.Unlock()
	for _, f := range open {
		s.endFlow(f)
	}
	late := time.AfterFunc(closeGrace, s.cancel)
	s.running.Wait()
	late.Stop()
	s.cancel()
	return nil
}

// begin admits something that runs by itself; the caller must call
// s.running.Done when it is true.
func (s *Service) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	return true
}

// account is the one of a server, made where there is none.
func (s *Service) account(name string) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.accounts[name]
	if a == nil {
		a = newAccount(name)
		s.accounts[name] = a
	}
	return a
}

// existing is the account of a server, or nil.
func (s *Service) existing(name string) *account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts[name]
}

// update changes an account, and tells the news where its Auth is another then.
func (s *Service) update(a *account, change func()) {
	a.mu.Lock()
	before := a.auth(s.now())
	change()
	after := a.auth(s.now())
	if hidden := a.secrets(); !slices.Equal(hidden, a.hidden) {
		a.hidden = hidden
		s.o.Hide(a.owner(), slices.Clone(hidden))
	}
	a.mu.Unlock()
	if !a.trial && !reflect.DeepEqual(before, after) {
		s.o.Changed(a.name)
	}
}

// configured takes what is configured of a server now. A browser that is on its way
// for another address has nowhere to come back to.
func (s *Service) configured(a *account, server Server) {
	s.update(a, func() { a.know(server) })
	if f := s.flowOf(server.Name); f != nil && f.server.URL != server.URL {
		s.Cancel(server.Name)
	}
}

// Status is what is known of the sign-in to a server. It reads memory only.
func (s *Service) Status(server string) model.Auth {
	a := s.existing(server)
	if a == nil {
		return model.Auth{State: model.AuthNone}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.auth(s.now())
}

// client is the guarded client for what the server at an address names.
func (s *Service) client(address string) (*http.Client, error) {
	c, err := s.o.Client(address)
	if err != nil {
		return nil, model.Errorf(model.CodeInvalid, "%s: %w", hostOf(address), err)
	}
	return c, nil
}

// discovery is for one server.
func (s *Service) discovery(server Server) (discovery, error) {
	u, err := url.Parse(server.URL)
	if err != nil || u.Hostname() == "" {
		return discovery{}, model.Errorf(model.CodeInvalid, "the server %s has no address to sign in to", server.Name)
	}
	c, err := s.client(server.URL)
	return discovery{client: c, server: u}, err
}
