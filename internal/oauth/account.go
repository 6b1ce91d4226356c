package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"kontor.dev/kontor/internal/model"
)

// maxAsked is how many authorizations in a row a server may want for a refusal
// that doesn't end (specification, "Step-Up Authorization Flow").
const maxAsked = 3

// account is what is in memory about one server's sign-in.
type account struct {
	name string
	// trial is for a configuration that isn't saved: it is nobody's state.
	trial bool
	// nonces are the last DPoP nonces, by origin (RFC 9449 §8).
	nonces  map[string]string
	nonceMu sync.Mutex
	// turn is held by what reads a record, asks the authorization server and writes
	// the record again.
	turn chan struct{}

	mu     sync.Mutex
	server Server
	// record is what the store has, as far as this process knows.
	record *record
	loaded bool
	prover *prover // of record.Key
	// unsaved was given by the authorization server and couldn't be stored yet.
	unsaved *record
	// challenge is the last one of the server.
	challenge challenge
	// need is why a person has to sign in; nil when nothing is known to be missing.
	need *need
	// note is what else the person should know.
	note string
	// failed is how the last browser's sign-in ended that didn't work, until the next.
	failed string
	// stale is an access token that the server refused and that couldn't be renewed
	// just then; refused is one that it refused although it was new.
	stale, refused string
	// denied is set when a machine grant was refused: it isn't tried again before
	// the settings change or a person says so.
	denied bool
	// asked counts authorizations in a row, of which the last ones were step-ups.
	asked int
	flow  *flow
	// unanswered is set when a browser was sent off with a client that the
	// authorization server may have forgotten, and never came back.
	unanswered bool
	// scoped is set when the authorization server has refused scopes: some take only
	// those that a client was registered with, while others refuse a registration for
	// scopes that they don't know by themselves.
	scoped bool
	// earlier are secrets that may still be on their way somewhere; hidden are all
	// that are masked now.
	earlier, hidden []string
}

func newAccount(name string) *account {
	return &account{name: name, nonces: map[string]string{}, turn: make(chan struct{}, 1)}
}

// owner is whose the hidden values are.
func (a *account) owner() string {
	if a.trial {
		return "oauth trial/" + a.name
	}
	return "oauth/" + a.name
}

type need struct{ reason, message string }

// know takes what is configured now. A changed address makes everything that was
// known about another server void; changed settings are a new chance for machines.
func (a *account) know(server Server) {
	switch {
	case a.server.URL == "":
	case a.server.URL != server.URL:
		a.challenge, a.need, a.note, a.failed, a.asked, a.unanswered = challenge{}, nil, "", "", 0, false
		a.stale, a.refused, a.denied = "", "", false
	case a.denied && !reflect.DeepEqual(a.server.Settings, server.Settings):
		a.denied, a.need = false, nil
	}
	a.server = server
}

// usable is the record, if it is for the server as it is configured now.
func (a *account) usable() *record { return a.recordFor(a.server) }

// recordFor is the record, if it is for a server: a connection from before its
// address was changed gets none.
func (a *account) recordFor(server Server) *record {
	if a.record == nil || !a.record.belongs(server) {
		return nil
	}
	return a.record
}

// signedOut tells that the person has signed out, and not in again. What a trial does is
// no sign-in of anybody.
func (a *account) signedOut() bool {
	r := a.usable()
	return r != nil && r.SignedOut && !a.trial
}

// auth is the account for people.
func (a *account) auth(now time.Time) model.Auth {
	auth := model.Auth{State: model.AuthNone, Message: a.note, Failed: a.failed}
	if r := a.usable(); r != nil {
		auth.Account, auth.Issuer, auth.Scopes = r.Account, r.Issuer, slices.Clone(r.Scopes)
		auth.Client = r.Client.words(hostOf(r.Issuer))
		if r.Access != "" {
			auth.State, auth.ExpiresAt = model.AuthSignedIn, r.Expires
			auth.Renewable = r.Refresh != "" || a.server.Settings.Machine()
		}
		if len(r.StepUp) > 0 && r.Access != "" {
			auth.StepUp, auth.Reason = slices.Clone(r.StepUp), model.ReasonMoreRights
			auth.Message = fmt.Sprintf("A call was refused: it needs more rights than were granted: %s.", strings.Join(missing(r.StepUp, r.Scopes), ", "))
		}
		if r.Ended != "" {
			auth.State, auth.Reason, auth.Message = model.AuthNeedsSignIn, model.ReasonExpired, r.Ended
		}
	}
	switch {
	case a.signedOut():
		auth.State, auth.Reason = model.AuthSignedOut, model.ReasonSignedOut
	case a.need != nil:
		auth.State, auth.Reason, auth.Message, auth.StepUp = model.AuthNeedsSignIn, a.need.reason, a.need.message, nil
	}
	if a.flow != nil && now.Before(a.flow.ExpiresAt) {
		auth.Pending = a.flow.ExpiresAt
	}
	return auth
}

// missing are the scopes of want that aren't in have, or all when none is missing:
// a server may refuse what it granted.
func missing(want, have []string) []string {
	lack := slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(have, s) })
	if len(lack) == 0 {
		return want
	}
	return lack
}

// secrets is all that must never be shown.
func (a *account) secrets() []string {
	all := slices.Clone(a.earlier)
	set := a.server.Settings
	all = append(all, set.ClientSecret.Text, set.PrivateKey.Text, set.Assertion.Text, set.IDPClientSecret.Text, set.IDPIDToken.Text)
	for _, r := range []*record{a.record, a.unsaved} {
		if r != nil {
			all = append(all, r.secrets()...)
		}
	}
	if a.flow != nil {
		all = append(all, a.flow.verifier, a.flow.client.Secret)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(s string) bool { return s == "" })
}

// maxEarlier is how many secrets are remembered that were replaced.
const maxEarlier = 16

// outdate keeps replaced secrets hidden for a while: a refusal that repeats one may
// still arrive.
func (a *account) outdate(secrets ...string) {
	a.earlier = append(a.earlier, secrets...)
	a.earlier = slices.Clone(a.earlier[max(0, len(a.earlier)-maxEarlier):])
}

// take makes r the record.
func (a *account) take(r *record) {
	if a.record != nil && (r == nil || r.Access != a.record.Access) {
		a.outdate(a.record.secrets()...)
	}
	if r == nil || a.record == nil || string(r.Key) != string(a.record.Key) {
		a.prover = nil
	}
	a.record, a.loaded, a.unsaved = r, true, nil
}

// credential is what goes with a request.
type credential struct {
	access, scheme string
	prover         *prover
}

// credential is the token for a server, nil when there is none.
func (a *account) credential(server Server) *credential {
	r := a.recordFor(server)
	if r == nil || r.Access == "" {
		return nil
	}
	c := &credential{access: r.Access, scheme: "Bearer"}
	if strings.EqualFold(r.Type, "dpop") {
		if a.prover == nil {
			a.prover, _ = proverOf(json.RawMessage(r.Key), a)
		}
		c.scheme, c.prover = "DPoP", a.prover
	}
	return c
}

// enter waits for the account's turn.
func (a *account) enter(ctx context.Context) error {
	select {
	case a.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (a *account) leave() { <-a.turn }
