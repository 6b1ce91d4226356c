package oauth

import (
	"io"
	"net/http"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestTidyAnswer(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"expires_in":3600,"a":1.50}`:     `{"a":1.50,"expires_in":3600}`,
		`{"expires_in":3600.0}`:            `{"expires_in":3600}`,
		`{"expires_in":"3599.9"}`:          `{"expires_in":3599}`,
		`{"expires_in":36e2}`:              `{"expires_in":3600}`,
		`{"expires_in":1e400}`:             `{"expires_in":2147483647}`,
		`{"expires_in":99999999999999999}`: `{"expires_in":2147483647}`,
		`{"expires_in":-1}`:                `{}`,
		`{"expires_in":0}`:                 `{}`,
		`{"expires_in":null}`:              `{}`,
		`{"expires_in":""}`:                `{}`,
		`{"expires_in":"NaN"}`:             `{}`,
		`{"expires_in":{}}`:                `{}`,
		`{"access_token":"x"}`:             `{"access_token":"x"}`,
		`access_token=x`:                   ``,
		`[]`:                               ``,
		`null`:                             ``,
		``:                                 ``,
	} {
		if got, ok := tidyAnswer([]byte(in)); string(got) != want || ok != (want != "") {
			t.Errorf("tidyAnswer(%s) = %s, %v, want %s", in, got, ok, want)
		}
	}
}

// An answer that is thrown away for its lifetime takes the next refresh token along.
func TestAnOddLifetimeCostsNoSignIn(t *testing.T) {
	t.Parallel()
	for _, odd := range []any{3600.5, "3600.0", 1e20, "", "soon", map[string]any{}} {
		r := newRig(t)
		r.issuer.set(func() { r.issuer.extra["expires_in"] = odd })
		r.signIn(r.docs())
		c := r.client(r.docs())
		for range 2 {
			r.issuer.expire()
			r.wantCall(c, "/mcp", 200)
		}
		if n := r.issuer.count("refresh_token"); n != 2 {
			t.Errorf("expires_in %v: %d renewals", odd, n)
		}
	}
}

func TestJSONUnderTextPlainIsRead(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.signIn(r.docs())
	c := r.client(r.docs())
	r.issuer.expire()
	r.issuer.set(func() {
		r.issuer.tokenHook = func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"invalid_grant"}`)
			return true
		}
	})
	r.wantCall(c, "/mcp", 401)
	r.wantState(model.AuthNeedsSignIn, model.ReasonExpired)
}
