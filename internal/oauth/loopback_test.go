package oauth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestALoopbackListenerTakesTheBrowserBack(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.base = "http://nas.lan:8787"
	p := r.start(r.docs())
	u := parse(t, p.RedirectURI)
	if u.Hostname() != "127.0.0.1" || u.Path != "/callback" {
		t.Fatalf("redirect %s", p.RedirectURI)
	}
	if body := r.issuer.bodies[0]; body["application_type"] != "native" {
		t.Errorf("registered as %v", body)
	}
	answer := r.browse(p.URL)
	resp, err := r.plain.Get(p.RedirectURI + "?" + answer.Encode())
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if to := resp.Header.Get("Location"); to != r.base+"/oauth/callback?"+answer.Encode() {
		t.Errorf("it leads to %s", to)
	}
	if _, err := r.s.Finish(t.Context(), answer, "mine"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.plain.Get(p.RedirectURI); err == nil {
		t.Error("the listener is still there")
	}
}

func TestALoopbackRedirectIsTriedWhenTheBaseURLIsRefused(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.base = "https://kontor.example"
	r.issuer.set(func() {
		r.issuer.registerHook = func(w http.ResponseWriter, body map[string]any) bool {
			to, _ := url.Parse(body["redirect_uris"].([]any)[0].(string))
			if to.Hostname() == "127.0.0.1" {
				return false
			}
			oauthError(w, 400, "invalid_redirect_uri", "loopback only")
			return true
		}
	})
	r.signIn(r.docs())
	if got := r.asked().Get("redirect_uri"); !strings.HasPrefix(got, "http://127.0.0.1:") {
		t.Errorf("redirect %s", got)
	}
}
