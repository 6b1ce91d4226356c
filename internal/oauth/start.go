package oauth

import (
	"context"
	"crypto/rand"
	"net/http"
	"slices"
	"strings"

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
}

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
	f := &flow{server: r.Server, session: r.Session, verifier: oauth2.GenerateVerifier()}
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

// choose finds the authorization server to use: the person's choice, else the only
// one, else the one of the last sign-in. Machines take the first that answers.
func (d discovery) choose(ctx context.Context, at site, server Server, wanted string, before *record) (metadata, error) {
	if wanted == "" {
		wanted = server.Settings.AuthorizationServer
	}
	if len(at.Issuers) == 0 && wanted == "" {
		meta, err := d.legacy(ctx)
		if err == nil {
			err = bound(meta.Issuer, server, before)
		}
		return meta, err
	}
	names, err := issuersToTry(at.Issuers, wanted, before, server.Settings.Machine())
	if err != nil {
		return metadata{}, err
	}
	var first error
	for _, name := range names {
		meta, err := d.issuer(ctx, name)
		if err == nil {
			return meta, bound(meta.Issuer, server, before)
		}
		if first == nil {
			first = err
		}
	}
	return metadata{}, first
}

func issuersToTry(listed []string, wanted string, before *record, machine bool) ([]string, error) {
	switch {
	case wanted != "" && (len(listed) == 0 || slices.Contains(listed, wanted)):
		return []string{wanted}, nil
	case wanted != "":
		return nil, model.Errorf(model.CodeInvalid, "the server doesn't name the authorization server %s; it names %s", foreign(wanted), foreign(strings.Join(listed, ", ")))
	case len(listed) == 1 || machine:
		return listed, nil
	case before != nil && slices.Contains(listed, before.Issuer):
		return []string{before.Issuer}, nil
	}
	return nil, &ChooseIssuerError{Issuers: listed, err: model.Errorf(model.CodeInvalid, "the server can be signed in to at several places: choose one of %s", foreign(strings.Join(listed, ", ")))}
}

// bound keeps credentials that the person typed in at the authorization server
// that they were first used at: a server that names another one would get them.
func bound(issuer string, server Server, before *record) error {
	set := server.Settings
	if set.ClientID == "" || set.AuthorizationServer == issuer || before == nil || before.Client.From != configured ||
		before.Client.ID != set.ClientID || before.Issuer == issuer {
		return nil
	}
	return &model.Error{
		Code:    model.CodeDenied,
		Message: "the client id in the settings was used at " + hostOf(before.Issuer) + ", but the server names " + hostOf(issuer) + " now: it would be given to a stranger",
		Fix:     "If the server has really moved, set authorization_server to " + foreign(issuer) + " and type in a client id of it.",
	}
}

// checkDPoP says whether proofs by ES256 are taken; without a list they may be.
func (m metadata) checkDPoP() error {
	if len(m.DPoPAlgorithms) == 0 || slices.Contains(m.DPoPAlgorithms, "ES256") {
		return nil
	}
	return model.Errorf(model.CodeProtocol, "the authorization server %s takes no DPoP proofs by ES256, only by %s", hostOf(m.Issuer), foreign(strings.Join(m.DPoPAlgorithms, ", ")))
}
