package oauth

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"kontor.dev/kontor/internal/model"
)

// is has the issuer say from now on that somebody of that subject signs in.
func (r *rig) is(subject string) {
	r.t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(strings.Repeat("k", 32))}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	id, err := jwt.Signed(signer).Claims(map[string]any{"sub": subject, "name": "Ada"}).Serialize()
	if err != nil {
		r.t.Fatal(err)
	}
	r.issuer.set(func() { r.issuer.extra["id_token"] = id })
}

// eventually waits for what runs beside.
func (r *rig) eventually(what string, is func() bool) {
	r.t.Helper()
	for end := time.Now().Add(10 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("not in time: %s", what)
		}
	}
}

func TestASignInAsAnotherRevokesTheOneBefore(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	revoked := func() (list []string) {
		r.issuer.set(func() { list = slices.Clone(r.issuer.revoked) })
		return list
	}
	r.is("1")
	r.signIn(r.docs())
	r.signIn(r.docs()) // the same again: revoked, it might take the new one with it
	old := *r.s.account("docs").record
	r.is("2")
	r.issuer.set(func() {
		r.issuer.tokenHook = func(http.ResponseWriter, *http.Request) bool {
			if !r.store.keeps(old.Access) {
				t.Error("the one before is gone before there is another")
			}
			return false
		}
	})
	r.signIn(r.docs())
	r.eventually("both tokens revoked", func() bool { return len(revoked()) == 2 })
	if got := revoked(); !slices.Equal(got, []string{old.Refresh, old.Access}) {
		t.Errorf("revoked %q", got)
	}
	r.wantCall(r.client(r.docs()), "/mcp", 200)
	if err := r.s.Close(); err != nil || len(revoked()) != 2 {
		t.Errorf("%v, revoked %q", err, revoked())
	}
}

func TestThatTheSignInBeforeIsStillGoodIsSaid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) { m["revocation_endpoint"] = r.issuer.url() + "/nothing" }
	})
	r.is("1")
	r.signIn(r.docs())
	r.is("2")
	r.signIn(r.docs())
	r.eventually("a note", func() bool { return strings.Contains(r.status().Message, "didn't take the sign-out") })
	r.wantState(model.AuthSignedIn, "")
}

func TestWhichSignInOustsWhich(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before *record
		want   bool
	}{
		"none":            {nil, false},
		"signed out":      {&record{Issuer: "i", SignedOut: true}, false},
		"ended":           {&record{Issuer: "other", Subject: "2", Ended: "x"}, false},
		"the same":        {&record{Issuer: "i", Subject: "1", Access: "a"}, false},
		"nobody knows":    {&record{Issuer: "i", Access: "a"}, false},
		"another":         {&record{Issuer: "i", Subject: "2", Access: "a"}, true},
		"another issuer":  {&record{Issuer: "other", Subject: "1", Access: "a"}, true},
		"only to refresh": {&record{Issuer: "i", Subject: "2", Refresh: "r"}, true},
	} {
		if got := (&record{Issuer: "i", Subject: "1", Access: "b"}).ousts(c.before); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
