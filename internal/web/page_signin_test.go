package web_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/oauth"
	"kontor.dev/kontor/internal/web"
)

// Whoever opens the callback without a sign-in that waits learns nothing, and what
// they bring along is text.
func TestACallbackThatNobodyWaitsForChangesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, query := range []string{
		"error=%3Cscript%3Ealert(1)%3C/script%3E&state=x", "code=c&state=x", "", "state=a&state=b", "code=%00&state=%ff",
	} {
		a := s.request("GET", "/oauth/callback?"+query, "", "Authorization", "", "Accept", "text/html")
		if a.StatusCode != http.StatusNotFound || strings.Contains(a.body, "<script>") || !strings.Contains(a.body, "Not signed in") {
			t.Errorf("%s: got %d %s", query, a.StatusCode, a.body)
		}
		if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", query, csp)
		}
	}
}

// answered is a sign-in that ends as the test says.
type answered struct {
	web.SignIn
	done oauth.Finished
	err  error
}

func (a answered) Finish(context.Context, url.Values, string) (oauth.Finished, error) {
	return a.done, a.err
}

func TestATabOfItsOwnClosesItselfAfterASignInThatWorked(t *testing.T) {
	t.Parallel()
	auth := model.Auth{Account: "mira", Issuer: "https://github.com/login/oauth", Scopes: []string{"repo", "frobnicate"}}
	for name, c := range map[string]struct {
		ownTab bool
		err    error
		closes bool
	}{
		"its own":             {true, nil, true},
		"the person's":        {false, nil, false},
		"its own, but denied": {true, model.Errorf(model.CodeDenied, "declined"), false},
	} {
		s := start(t, siteOptions{change: func(o *web.Options) {
			o.SignIn = answered{SignIn: o.SignIn, done: oauth.Finished{Server: "fake", Auth: auth, OwnTab: c.ownTab}, err: c.err}
		}})
		page := s.request("GET", "/oauth/callback?code=c&state=s", "", "Accept", "text/html").body
		if got := strings.Contains(page, `src="/assets/tab-6.js"`); got != c.closes || strings.Contains(page, "data-closing") != c.closes {
			t.Errorf("%s: it closes: %v: %s", name, got, page)
		}
		if c.err != nil {
			if !strings.Contains(page, `href="/signin/fake?tab=own"`) {
				t.Errorf("%s: no way to try again in this tab: %s", name, page)
			}
			continue
		}
		for _, want := range []string{"You can close this tab", "private ones too (<code>repo</code>)", "<code>frobnicate</code> <span class=\"faint\">(the server’s own term)"} {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q in %s", name, want, page)
			}
		}
	}
}

func TestTheClientMetadataIsThereForEverybody(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	a := s.request("GET", "/oauth/client-metadata.json", "", "Authorization", "")
	if a.StatusCode != http.StatusOK || !strings.Contains(a.body, "/oauth/callback") {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
}

func TestOnlyWhatHasAnAddressIsSignedInTo(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if a := s.request("POST", "/api/servers/nobody/sign-in", `{}`); a.StatusCode != http.StatusNotFound {
		t.Errorf("no server: got %d %s", a.StatusCode, a.body)
	}
	s.request("POST", "/api/servers", `{"name":"program","command":"/nonexistent","enabled":false}`)
	a := s.request("POST", "/api/servers/program/sign-in", `{}`)
	if p := a.problem(t); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(p.Detail, "program on this machine") {
		t.Errorf("a program: got %d %s", a.StatusCode, a.body)
	}
	a = s.request("GET", "/signin/program", "", "Accept", "text/html")
	if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, "program on this machine") {
		t.Errorf("its page: got %d %s", a.StatusCode, a.body)
	}
}

func TestAnotherSiteBeginsNoSignIn(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	s.request("POST", "/api/servers", `{"name":"docs","url":"http://127.0.0.1:1/mcp","enabled":false}`)
	a := s.request("GET", "/signin/docs", "", "Accept", "text/html", "Sec-Fetch-Site", "cross-site")
	if a.StatusCode != http.StatusOK || !strings.Contains(a.body, "nothing has begun") || !strings.Contains(a.body, `href="/signin/docs"`) {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("GET", "/signin/docs", "", "Accept", "text/html", "Sec-Fetch-Site", "same-origin"); strings.Contains(a.body, "nothing has begun") {
		t.Errorf("from Kontor itself: %d %s", a.StatusCode, a.body)
	}
}

// A sign-in isn't answered by a form: accepting the item would grant nothing.
func TestASignInItemTakesNoAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	id, _ := s.ask(model.Item{Kind: model.ItemSignIn, Server: "fake", Tool: "t", CallID: "c",
		Reason: model.ReasonMoreRights, Scopes: []string{"write", "frobnicate"}, Message: "more"})
	page := s.request("GET", "/inbox/"+id, "", "Accept", "text/html")
	if !strings.Contains(page.body, `href="/signin/fake"`) || !strings.Contains(page.body, "Sign in to fake") || !strings.Contains(page.body, "change all that you can change there (<code>write</code>)") ||
		!strings.Contains(page.body, "<code>frobnicate</code> <span class=\"faint\">(the server’s own term)</span>") {
		t.Errorf("the page is %s", page.body)
	}
	a := s.request("POST", "/inbox/"+id, "action=accept", "Content-Type", "application/x-www-form-urlencoded")
	if a.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("accepted: %d %s", a.StatusCode, a.body)
	}
	if a := s.request("POST", "/api/inbox/elicitations/"+id+"/resolve", `{"action":"accept"}`); a.StatusCode != http.StatusNotFound {
		t.Errorf("accepted over the API: %d %s", a.StatusCode, a.body)
	}
	if a := s.request("GET", "/api/inbox", ""); !strings.Contains(a.body, `"reason":"more_rights","scopes":["write","frobnicate"]`) {
		t.Errorf("the inbox is %s", a.body)
	}
	if a := s.request("POST", "/api/servers/nobody/sign-in/cancel", ""); a.StatusCode != http.StatusNotFound {
		t.Errorf("cancel without a server: %d", a.StatusCode)
	}
}

// A server that is given a token of the person's own would never be sent another.
func TestATokenInTheSettingsLeavesNothingToSignInTo(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	s.request("POST", "/api/servers", `{"name":"own","transport":"http","url":"http://127.0.0.1:9/mcp","bearer_token":"t0ken","enabled":false}`)
	a := s.request("POST", "/api/servers/own/sign-in", `{}`)
	if p := a.problem(t); a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(p.Detail, "the token in its settings") {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
}
