package oauth

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
)

func TestASignInFromThe401ToTheCall(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	c := r.client(r.docs())
	r.wantCall(c, "/mcp", 401)
	r.wantState(model.AuthNeedsSignIn, model.ReasonFirstTime)

	p := r.start(r.docs())
	if p.Reason != model.ReasonFirstTime || p.RedirectURI != r.base+"/oauth/callback" || p.Host != hostOf(r.issuer.url()) {
		t.Errorf("Start = %+v", p)
	}
	if got := r.status(); got.Pending.IsZero() || got.State != model.AuthNeedsSignIn {
		t.Errorf("while the browser is away Status = %+v", got)
	}
	q := mustQuery(t, p.URL)
	if q.Get("code_challenge_method") != "S256" || q.Get("response_type") != "code" || q.Get("resource") != r.server.url() || q.Has("scope") {
		t.Errorf("the authorization request is %v", q)
	}
	done, err := r.s.Finish(t.Context(), r.browse(p.URL), "mine")
	if err != nil || done.Server != "docs" || done.Auth.State != model.AuthSignedIn || !done.Auth.Renewable {
		t.Fatalf("Finish = %+v, %v", done, err)
	}
	r.wantCall(c, "/mcp", 200)
	if got := r.status(); !got.Pending.IsZero() || got.Issuer != r.issuer.url() || got.Client == "" || got.Message != "" {
		t.Errorf("Status = %+v", got)
	}
	if r.server.bodies[len(r.server.bodies)-1] != "body" {
		t.Errorf("the server got %q", r.server.bodies)
	}
}

func mustQuery(t *testing.T, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Query()
}

func wantCode(t *testing.T, err error, want model.Code) {
	t.Helper()
	if err == nil || model.CodeOf(err) != want {
		t.Errorf("error %v (%s), want %s", err, model.CodeOf(err), want)
	}
}

func TestAStateIsGoodOnceInItsSessionForTenMinutes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	answer := r.browse(r.start(r.docs()).URL)
	_, err := r.s.Finish(t.Context(), answer, "another")
	wantCode(t, err, model.CodeDenied)
	_, err = r.s.Finish(t.Context(), url.Values{"code": answer["code"], "state": {"made-up"}}, "mine")
	wantCode(t, err, model.CodeNotFound)
	_, err = r.s.Finish(t.Context(), url.Values{"code": answer["code"]}, "mine")
	wantCode(t, err, model.CodeNotFound)
	_, err = r.s.Finish(t.Context(), url.Values{"code": answer["code"], "state": {answer.Get("state"), "x"}}, "mine")
	wantCode(t, err, model.CodeNotFound)
	if r.issuer.count("authorization_code") != 0 {
		t.Error("a code was sent for a wrong state")
	}
	if _, err = r.s.Finish(t.Context(), answer, "mine"); err != nil {
		t.Fatalf("the right answer after wrong ones: %v", err)
	}
	_, err = r.s.Finish(t.Context(), answer, "mine")
	wantCode(t, err, model.CodeNotFound)
	if n := r.issuer.count("authorization_code"); n != 1 {
		t.Errorf("the code was sent %d times", n)
	}

	late := r.browse(r.start(r.docs()).URL)
	after := r.s.now().Add(flowLife)
	r.s.now = func() time.Time { return after }
	_, err = r.s.Finish(t.Context(), late, "mine")
	wantCode(t, err, model.CodeNotFound)
}

func TestTheQueryOfAnAuthorizationEndpointGivesWayToOurs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) {
			m["authorization_endpoint"] = r.issuer.url() + "/authorize?tenant=a%20b&client_id=other&state=known&tenant=c&redirect_uri=https%3A%2F%2Fevil.example&code_challenge_method=plain"
		}
	})
	p := r.start(r.docs())
	q := mustQuery(t, p.URL)
	for name, want := range map[string]string{"state": p.State, "redirect_uri": p.RedirectURI, "code_challenge_method": "S256", "client_id": "client-1"} {
		if got := q[name]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := q["tenant"]; !slices.Equal(got, []string{"a b", "c"}) {
		t.Errorf("tenant = %q", got)
	}
	if _, err := r.s.Finish(t.Context(), r.browse(p.URL), "mine"); err != nil {
		t.Error(err)
	}
}

func TestAFlowThatWasStartedWithoutASessionNeedsItsStateOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p, err := r.s.Start(t.Context(), Start{Server: r.docs()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.s.Finish(t.Context(), r.browse(p.URL), "whatever"); err != nil {
		t.Error(err)
	}
}

func TestAnotherStartReplacesTheFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	first := r.browse(r.start(r.docs()).URL)
	second := r.start(r.docs())
	if p, ok := r.s.Pending("docs"); !ok || p.State != second.State {
		t.Errorf("Pending = %+v, %v", p, ok)
	}
	_, err := r.s.Finish(t.Context(), first, "mine")
	wantCode(t, err, model.CodeNotFound)
	if _, err := r.s.Finish(t.Context(), r.browse(second.URL), "mine"); err != nil {
		t.Error(err)
	}
	r.start(r.docs())
	r.s.Cancel("docs")
	if _, ok := r.s.Pending("docs"); ok {
		t.Error("a flow is pending after Cancel")
	}
	if auth := r.status(); auth.State != model.AuthSignedIn || !auth.Pending.IsZero() {
		t.Errorf("Status after Cancel = %+v", auth)
	}
}

func TestAPastedAddressFinishesItsServersFlow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	p := r.start(r.docs())
	address := p.RedirectURI + "?" + r.browse(p.URL).Encode()
	for pasted, want := range map[string]model.Code{"http://127.0.0.1/nothing": model.CodeInvalid, "::": model.CodeInvalid, "http://h/?code=x&state=y": model.CodeNotFound} {
		_, err := r.s.FinishPasted(t.Context(), "docs", pasted, "mine")
		wantCode(t, err, want)
	}
	_, err := r.s.FinishPasted(t.Context(), "other", address, "mine")
	wantCode(t, err, model.CodeNotFound)
	if _, err := r.s.FinishPasted(t.Context(), "docs", " "+address+"\n", "mine"); err != nil {
		t.Error(err)
	}
}

func TestTheIssuerOfAnAnswerMustBeTheOneThatWasAsked(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		advertised any
		iss        func(issuer string) []string
		ok         bool
	}{
		"right":                 {true, func(i string) []string { return []string{i} }, true},
		"missing":               {true, func(string) []string { return nil }, false},
		"not advertised":        {nil, func(string) []string { return nil }, true},
		"right, unadvertised":   {nil, func(i string) []string { return []string{i} }, true},
		"wrong":                 {true, func(string) []string { return []string{"https://evil.example"} }, false},
		"wrong, unadvertised":   {false, func(string) []string { return []string{"https://evil.example"} }, false},
		"equal when normalised": {true, func(i string) []string { return []string{i + "/"} }, false},
		"empty":                 {nil, func(string) []string { return []string{""} }, false},
		"twice":                 {true, func(i string) []string { return []string{i, i} }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.issuer.set(func() {
				r.issuer.alter = func(m map[string]any) { m["authorization_response_iss_parameter_supported"] = c.advertised }
				r.issuer.answer = func(q url.Values) {
					delete(q, "iss")
					if v := c.iss(r.issuer.url()); v != nil {
						q["iss"] = v
					}
				}
			})
			_, err := r.s.Finish(t.Context(), r.browse(r.start(r.docs()).URL), "mine")
			if sent := r.issuer.count("authorization_code"); (err == nil) != c.ok || sent != map[bool]int{true: 1}[c.ok] {
				t.Errorf("Finish = %v, and %d token requests", err, sent)
			}
		})
	}
}

func TestAnErrorAnswerIsToldInWordsIfItIsTheIssuers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	say := func(iss string) error {
		r.issuer.set(func() {
			r.issuer.answer = func(q url.Values) {
				q.Del("code")
				q.Set("error", "access_denied")
				q.Set("error_description", "<b>no</b>\n\x1b[31m way")
				q.Set("iss", iss)
			}
		})
		done, err := r.s.Finish(t.Context(), r.browse(r.start(r.docs()).URL), "mine")
		if done.Server != "docs" {
			t.Errorf("Finished.Server = %q", done.Server)
		}
		return err
	}
	host := hostOf(r.issuer.url())
	if err := say(r.issuer.url()); err == nil || err.Error() != host+": the sign-in was declined ("+host+" says: “<b>no</b> [31m way”)" {
		t.Errorf("declined: %v", err)
	} else if got := r.status().Failed; got != err.Error() {
		t.Errorf("Failed = %q", got)
	}
	r.start(r.docs())
	if got := r.status().Failed; got != "" {
		t.Errorf("begun anew, Failed = %q", got)
	}
	err := say("https://evil.example")
	wantCode(t, err, model.CodeProtocol)
	if err != nil && strings.Contains(err.Error(), "way") {
		t.Errorf("a stranger's words are shown: %v", err)
	}
}
