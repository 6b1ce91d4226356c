package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"kontor.dev/kontor/internal/model"
)

// flowLife is how long the answer of a browser is taken.
const flowLife = 10 * time.Minute

var errClosed = errors.New("oauth: closed")

// Pending is a browser on its way. Host is the authorization server's, for the
// person's eyes.
type Pending struct {
	Server                                string
	URL, State, RedirectURI, Issuer, Host string
	Scopes                                []string
	// Reason is one of the model.Reason constants.
	Reason    string
	ExpiresAt time.Time
}

// flow is a browser on its way, with what its answer is checked against. Its state
// is good for one answer.
type flow struct {
	Pending
	server   Server
	session  string
	site     site
	meta     metadata
	client   client
	reused   bool // the client was registered some time ago
	scoped   bool // register with scopes
	verifier string
	code     string // once it has come
	prover   *prover
	stepUp   bool
	ownTab   bool // as in Start
	anew     bool // after a sign-out: as whom is asked again
	listener *listener
	timer    *time.Timer
}

// address is where the browser goes (OAuth 2.1 §4.1.1, RFC 7636, RFC 8707). A query
// that the endpoint has stays (RFC 6749 §3.1), but for the parameters that are ours: a
// request with one twice is refused, or read as the one that we didn't mean.
func (f *flow) address() string {
	endpoint, own, _ := strings.Cut(f.meta.AuthorizationEndpoint, "?")
	config := oauth2.Config{
		ClientID: f.client.ID, RedirectURL: f.RedirectURI, Scopes: f.Scopes,
		Endpoint: oauth2.Endpoint{AuthURL: endpoint},
	}
	options := []oauth2.AuthCodeOption{
		oauth2.S256ChallengeOption(f.verifier), oauth2.SetAuthURLParam("resource", f.site.Resource),
	}
	if prompt := f.prompt(); prompt != "" {
		options = append(options, oauth2.SetAuthURLParam("prompt", prompt))
	}
	if f.prover != nil {
		options = append(options, oauth2.SetAuthURLParam("dpop_jkt", f.prover.thumbprint()))
	}
	address := config.AuthCodeURL(f.State, options...)
	_, query, _ := strings.Cut(address, "?")
	if rest := beside(own, query); rest != "" {
		address += "&" + rest
	}
	return address
}

// beside is what of a query has other names than another query.
func beside(query, other string) string {
	theirs, _ := url.ParseQuery(query)
	ours, _ := url.ParseQuery(other)
	for name := range ours {
		theirs.Del(name)
	}
	return theirs.Encode()
}

// prompt is what the authorization server shall ask a person whom it knows already
// (OpenID Connect Core §3.1.2.1; other servers ignore it).
func (f *flow) prompt() string {
	var asks []string
	if f.anew {
		asks = append(asks, "login")
	}
	if slices.Contains(f.Scopes, offlineAccess) { // OpenID Connect Core §11 wants it asked for each time
		asks = append(asks, "consent")
	}
	return strings.Join(asks, " ")
}

// exchange is the request that turns the code into tokens.
func (f *flow) exchange(h *http.Client) tokenRequest {
	return tokenRequest{
		Endpoint: f.meta.TokenEndpoint, Issuer: f.meta.Issuer, Client: f.client, HTTP: h, Prover: f.prover,
		Form: url.Values{
			"grant_type": {string(model.GrantAuthorizationCode)}, "code": {f.code}, "redirect_uri": {f.RedirectURI},
			"code_verifier": {f.verifier}, "resource": {f.site.Resource},
		},
	}
}

// record is what the flow's token is kept as.
func (f *flow) record(t token, now time.Time) *record {
	r := record{
		Server: f.server.URL, Grant: f.server.Settings.Grant, Issuer: f.meta.Issuer, Resource: f.site.Resource, Metadata: f.site.Metadata,
		TokenEndpoint: f.meta.TokenEndpoint, RevocationEndpoint: f.meta.RevocationEndpoint, Client: f.client,
		Key: f.prover.marshal(), Scopes: f.Scopes, Requested: f.Scopes,
	}
	return r.with(t, now)
}

// open makes a flow the server's, in place of the one before.
func (s *Service) open(a *account, f *flow) error {
	s.Cancel(a.name)
	f.timer = time.AfterFunc(flowLife, func() {
		if s.begin() {
			defer s.running.Done()
			s.giveUp(f)
		}
	})
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.flows[f.State] = f
	}
	s.mu.Unlock()
	if closed {
		f.timer.Stop()
		return errClosed
	}
	s.update(a, func() { a.flow, a.failed = f, "" })
	return nil
}

// endFlow takes a flow out; it is false when somebody else has.
func (s *Service) endFlow(f *flow) bool {
	s.mu.Lock()
	_, mine := s.flows[f.State]
	delete(s.flows, f.State)
	s.mu.Unlock()
	if !mine {
		return false
	}
	f.timer.Stop()
	f.listener.close()
	a := s.account(f.Server)
	s.update(a, func() {
		a.outdate(f.verifier, f.client.Secret)
		if a.flow == f {
			a.flow = nil
		}
	})
	return true
}

// doubleClick is how soon a second try says nothing about the first.
const doubleClick = 3 * time.Second

// giveUp ends a flow that had no answer. Where its client was registered before,
// the authorization server may have forgotten it: then it shows the person an
// error and nothing comes back.
func (s *Service) giveUp(f *flow) {
	if s.endFlow(f) && f.reused && s.now().Sub(f.ExpiresAt.Add(-flowLife)) >= doubleClick {
		a := s.account(f.Server)
		s.update(a, func() { a.unanswered = true })
	}
}

// Pending is the browser on its way to sign in to a server.
func (s *Service) Pending(server string) (Pending, bool) {
	f := s.flowOf(server)
	if f == nil || !s.now().Before(f.ExpiresAt) {
		return Pending{}, false
	}
	return f.Pending, true
}

func (s *Service) flowOf(server string) *flow {
	a := s.existing(server)
	if a == nil {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.flow
}

// Cancel gives up on the browser that is on its way to sign in to a server.
func (s *Service) Cancel(server string) {
	if f := s.flowOf(server); f != nil {
		s.giveUp(f)
	}
}

// answered takes the flow that an answer belongs to; from then on its state is
// used up. Another session's answer changes nothing.
func (s *Service) answered(state, session string) (*flow, error) {
	s.mu.Lock()
	f := s.flows[state]
	s.mu.Unlock()
	switch {
	case f == nil || state == "":
		return nil, errNoFlow()
	case f.session != "" && subtle.ConstantTimeCompare([]byte(f.session), []byte(session)) != 1:
		return nil, model.Errorf(model.CodeDenied, "this sign-in was started in another browser session: finish it there, or start again here")
	case !s.now().Before(f.ExpiresAt):
		s.giveUp(f)
		return nil, errNoFlow()
	}
	if !s.endFlow(f) {
		return nil, errNoFlow()
	}
	return f, nil
}

func errNoFlow() error {
	return model.Errorf(model.CodeNotFound, "this sign-in is over or was never started: its answer is taken once, within 10 minutes. Start again")
}

// base is Kontor's public address without a slash at its end.
func (s *Service) base() string { return strings.TrimRight(s.o.BaseURL(), "/") }

// detached is for what must not be cut off in the middle: a code or a refresh
// token that was sent is used up, whoever still waits for the answer.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 2*tokenTimeout)
}
