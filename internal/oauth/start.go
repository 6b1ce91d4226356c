package oauth

import (
	"context"
	"crypto/rand"
	"net/http"
	"time"

	"golang.org/x/oauth2"

	"kontor.dev/kontor/internal/model"
)

// Start is a sign-in to begin.
type Start struct {
	Server Server
	// Session is the browser session that the answer must come back in; empty when
	// state alone decides.
	Session string
	// Issuer is the person's choice, where the server names several.
	Issuer string
	// OwnTab says that the tab is there for the sign-in alone.
	OwnTab bool
}

// startTimeout bounds all that is asked before there is an address.
const startTimeout = time.Minute

// Start prepares a browser for a sign-in: it finds the authorization server,
// becomes a client there, and returns the address to open. It replaces the flow
// that was under way for the server. A server whose tokens are for a machine gets
// its token here and now, and the Pending has no URL.
//
// An error is a *model.Error in words that say what is missing and what to do;
// *NeedsClientError and *ChooseIssuerError carry more.
func (s *Service) Start(ctx context.Context, r Start) (Pending, error) {
	a, err := s.load(ctx, r.Server)
	if err != nil {
		return Pending{}, err
	}
	if r.Server.Settings.Machine() {
		return s.startMachine(ctx, a, r.Server)
	}
	s.Cancel(r.Server.Name)
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	f := &flow{server: r.Server, session: r.Session, ownTab: r.OwnTab, verifier: oauth2.GenerateVerifier()}
	f.Server, f.State, f.ExpiresAt = r.Server.Name, rand.Text()+rand.Text(), s.now().Add(flowLife)
	if err := s.plan(ctx, a, f, r.Issuer); err != nil {
		return Pending{}, err
	}
	if err := s.identify(ctx, a, f); err != nil {
		f.listener.close()
		return Pending{}, err
	}
	f.URL, f.Issuer, f.Host = f.address(), f.meta.Issuer, hostOf(f.meta.AuthorizationEndpoint)
	if err := s.open(a, f); err != nil {
		f.listener.close()
		return Pending{}, err
	}
	s.o.Log.Info("a sign-in begins", "server", f.Server, "at", f.Host)
	return f.Pending, nil
}

// plan fills in what the flow is for: resource, authorization server, scopes.
func (s *Service) plan(ctx context.Context, a *account, f *flow, wanted string) (err error) {
	d, err := s.discovery(f.server)
	if err != nil {
		return err
	}
	ch := s.challengeFor(ctx, a, d)
	if f.site, err = d.site(ctx, ch); err != nil {
		return err
	}
	a.mu.Lock()
	before, need := a.usable(), a.need
	f.anew = a.signedOut()
	a.mu.Unlock()
	if f.meta, err = d.choose(ctx, f.site, f.server, wanted, before); err != nil {
		return err
	}
	if err = f.meta.checkBrowser(f.server.Settings.AllowWithoutS256); err != nil {
		return err
	}
	if f.server.Settings.DPoP || f.site.DPoP {
		if err = f.meta.checkDPoP(); err != nil {
			return err
		}
		if f.prover, err = newProver(a); err != nil {
			return err
		}
	}
	var stepUp []string
	if before != nil && before.Issuer == f.meta.Issuer {
		stepUp = before.StepUp
	}
	f.stepUp = len(stepUp) > 0
	f.Scopes = scopeSources{
		Settings: f.server.Settings.Scopes, StepUp: stepUp, Challenge: ch.Scopes, Before: before.requested(f.server, f.meta.Issuer),
		Site: f.site.Scopes, Issuer: f.meta.ScopesSupported,
	}.scopes()
	f.Reason = reasonFor(before, need, f.stepUp)
	return nil
}

// reasonFor is why a person signs in; empty when they just want to, again.
func reasonFor(before *record, need *need, stepUp bool) string {
	switch {
	case stepUp:
		return model.ReasonMoreRights
	case need != nil:
		return need.reason
	case before == nil:
		return model.ReasonFirstTime
	case before.SignedOut:
		return model.ReasonSignedOut
	case before.Access == "":
		return model.ReasonExpired
	}
	return ""
}

// challengeFor is what the server asked for last. Where it never did, it is asked
// without a token; a sign-in from before knows where its metadata is.
func (s *Service) challengeFor(ctx context.Context, a *account, d discovery) challenge {
	a.mu.Lock()
	ch, before := a.challenge, a.usable()
	a.mu.Unlock()
	if ch.Metadata == "" && len(ch.Scopes) == 0 {
		ch = d.ask(ctx)
	}
	if ch.Metadata == "" && before != nil {
		ch.Metadata = before.Metadata
	}
	return ch
}

// ask makes a request without a token, for the challenge of its refusal. It says
// nothing, so it asks for nothing but the stream that servers may offer by GET.
func (d discovery) ask(ctx context.Context) challenge {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.server.String(), nil)
	if err != nil {
		return challenge{}
	}
	req.Header.Set("Accept", "text/event-stream, application/json")
	resp, err := d.client.Do(req)
	if err != nil {
		return challenge{} // discovery will say what is wrong
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusUnauthorized {
		return challenge{}
	}
	ch, _ := parseChallenge(resp.Header)
	return ch
}
