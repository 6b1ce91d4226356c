package oauth

import (
	"context"
	"errors"
	"net/url"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Finished is how a flow ended. Server is set wherever the state was known; OwnTab is
// as it was when it began.
type Finished struct {
	Server string
	Auth   model.Auth
	OwnTab bool
}

// Finish takes the answer of a browser: the query of its redirect. An unknown,
// used or late state changes nothing and is model.CodeNotFound, another session
// model.CodeDenied; everything else ends the flow. The code isn't sent anywhere
// before all checks have passed.
func (s *Service) Finish(ctx context.Context, answer url.Values, session string) (Finished, error) {
	states := answer["state"]
	if len(states) != 1 {
		return Finished{}, errNoFlow()
	}
	f, err := s.answered(states[0], session)
	if err != nil {
		return Finished{}, err
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	err = s.complete(ctx, f, answer)
	if err != nil {
		s.o.Log.Info("a sign-in failed", "server", f.Server, "at", f.Host, "reason", err.Error())
		a := s.account(f.Server)
		s.update(a, func() { a.failed = err.Error() })
	}
	return Finished{Server: f.Server, Auth: s.Status(f.Server), OwnTab: f.ownTab}, err
}

// FinishPasted takes the address that the browser ended at, in place of the
// redirect that didn't arrive.
func (s *Service) FinishPasted(ctx context.Context, server, address, session string) (Finished, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.RawQuery == "" {
		return Finished{}, model.Errorf(model.CodeInvalid, "that is not the address that the browser ended at: it has a ? and then code= and state=. Copy the whole address")
	}
	f := s.flowOf(server)
	if f == nil || u.Query().Get("state") != f.State {
		return Finished{}, errNoFlow()
	}
	return s.Finish(ctx, u.Query(), session)
}

// complete checks an answer, turns its code into tokens and keeps them.
func (s *Service) complete(ctx context.Context, f *flow, answer url.Values) error {
	a := s.account(f.Server)
	if err := a.enter(ctx); err != nil { // who signs out meanwhile comes after it
		return err
	}
	defer a.leave()
	code, err := codeOf(answer, f.meta)
	s.update(a, func() { a.unanswered = false; a.outdate(code) })
	if err != nil {
		if errors.Is(err, errScopes) && f.client.From == registered && len(f.Scopes) > 0 {
			s.disown(ctx, f.meta.Issuer, f.client)
			s.update(a, func() { a.scoped = !f.scoped })
		}
		return err
	}
	f.code = code
	h, err := s.client(f.server.URL)
	if err != nil {
		return err
	}
	t, err := f.exchange(h).send(ctx)
	if err != nil {
		return s.exchangeFailed(ctx, f, err)
	}
	s.update(a, func() {
		a.outdate(t.Access, t.Refresh)
		// Before anybody hears of it: a call that waits for it may be refused again at once.
		if a.asked++; !f.stepUp {
			a.asked = 1
		}
	})
	var before *record
	fresh := f.record(t, s.now())
	err = s.change(ctx, a, func(r *record) *record { before = r; return fresh })
	switch {
	case model.CodeOf(err) == model.CodeNotFound:
		return model.Errorf(model.CodeNotFound, "the server %s was deleted while the browser was on its way: nothing was kept", f.Server)
	case err != nil:
		return model.Errorf(model.CodeStorage, "the sign-in to %s worked, but couldn't be kept: %w", f.Server, err)
	case !s.settle(a, f.server.URL):
		return model.Errorf(model.CodeConflict, "the address of %s was changed while the browser was on its way: this sign-in is for the one before. Start again", f.Server)
	}
	s.o.Log.Info("signed in", "server", f.Server, "at", f.Host)
	if fresh.ousts(before) {
		s.oust(a, f.server, before)
	}
	return nil
}

// settle forgets what was in the way before a new token for a server's address; it is
// false when the server has another one meanwhile, with needs of its own.
func (s *Service) settle(a *account, address string) (same bool) {
	s.update(a, func() {
		if same = a.server.URL == address; same {
			a.settled()
		}
	})
	return same
}

// settled forgets what was in the way before a new token.
func (a *account) settled() {
	a.need, a.note, a.denied = nil, "", false
	a.stale, a.refused = "", ""
}

func (s *Service) exchangeFailed(ctx context.Context, f *flow, err error) error {
	refused := (*tokenError)(nil)
	if !errors.As(err, &refused) {
		return err
	}
	if refused.Code == "invalid_client" {
		s.disown(ctx, f.meta.Issuer, f.client)
	}
	code := model.CodeDenied
	if refused.Temporary {
		code = model.CodeServerUnavailable
	}
	return model.Errorf(code, "%s gave no token for the sign-in: %w. Start again", refused.Host, err)
}

// errScopes is an authorization server that doesn't grant what was asked for.
var errScopes = errors.New("the scopes were refused")

// codeOf is the code of an authorization response (OAuth 2.1 §4.1.2, RFC 9207).
// Nothing of it is used or shown before its issuer is known to be the right one.
func codeOf(answer url.Values, meta metadata) (string, error) {
	host := hostOf(meta.Issuer)
	for _, name := range []string{"code", "error", "iss"} {
		if len(answer[name]) > 1 {
			return "", model.Errorf(model.CodeProtocol, "the answer of %s can't be trusted: it has %s twice. Start again", host, name)
		}
	}
	if err := checkIssuer(meta, answer.Has("iss"), answer.Get("iss")); err != nil {
		return "", err
	}
	switch problem := answer.Get("error"); {
	case problem == "access_denied":
		return "", model.Errorf(model.CodeDenied, "%s: the sign-in was declined%s", host, says(host, answer.Get("error_description")))
	case problem != "":
		failed := model.Errorf(model.CodeDenied, "%s ended the sign-in: %s%s", host, foreign(problem), says(host, answer.Get("error_description")))
		if problem == "invalid_scope" {
			failed.Err = errScopes
		}
		return "", failed
	case answer.Get("code") == "":
		return "", model.Errorf(model.CodeProtocol, "the answer of %s has no code. Start again", host)
	}
	return answer.Get("code"), nil
}

// checkIssuer compares iss as it is, without normalising anything (RFC 9207 §2.4,
// RFC 3986 §6.2.1).
func checkIssuer(meta metadata, has bool, iss string) error {
	switch {
	case has && iss != meta.Issuer:
		return model.Errorf(model.CodeProtocol, "the answer came from another authorization server than the one that was asked: it names %s, not %s. Nothing was sent to it", foreign(iss), foreign(meta.Issuer))
	case !has && meta.AuthorizationResponseIssParameterSupported:
		return model.Errorf(model.CodeProtocol, "the answer doesn't say that it is from %s, although that always says so. Nothing was sent", foreign(meta.Issuer))
	}
	return nil
}
