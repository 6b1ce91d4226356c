//go:build real

package real

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// authority is a running as.mjs.
type authority struct {
	Issuer, Resource, Other string
	t                       *testing.T
}

// startAuthority starts it in front of the reference server that has everything.
func startAuthority(t *testing.T) authority {
	t.Helper()
	upstream := everythingHTTP(t)["url"].(string)
	line := startHTTP(t, `^\{"issuer".*\}$`, exec.Command("node", script(t, "as.mjs"), upstream))
	a := authority{t: t}
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// stats is what has happened there.
type stats struct {
	Registrations, Codes, Refreshes, Revoked int
	Failures                                 []string
	Held                                     bool
}

func (a authority) stats() (s stats) {
	a.t.Helper()
	res, err := http.Get(a.Issuer + "/stats")
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&s); err != nil {
		a.t.Fatal(err)
	}
	return s
}

// signIn is the whole way of a person whose name is account: from Kontor to the pages
// of the authorization server and back. It returns the page that the tab shows in the
// end.
func (a authority) signIn(k *kontor.Kontor, server, account string) (status int, page string) {
	a.t.Helper()
	var begun struct {
		URL string `json:"authorization_url"`
	}
	k.Post("/api/servers/"+server+"/sign-in", map[string]any{}, &begun)
	return newTab(a.t).signIn(begun.URL, account)
}

func (a authority) echo(k *kontor.Kontor, server, text string) {
	a.t.Helper()
	c := k.Call("mcp__"+server+"__echo", `{"message": "`+text+`"}`)
	if c.State != "done" || c.Text() != "Echo: "+text {
		a.t.Errorf("%s: %s %s %+v", text, c.State, c.Result, c.Error)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func auth(s kontor.Server) kontor.Auth { return s.Status.Auth }

func TestSignInAtARealAuthorizationServer(t *testing.T) {
	t.Parallel()
	a := startAuthority(t)
	k := kontor.Start(t, kontor.Options{Env: []string{"KONTOR_LOG_LEVEL=debug"}})
	news := k.Listen()
	k.Add("docs", kontor.Config{"url": a.Resource})
	s := k.AwaitState("docs", "needs_sign_in")
	if auth(s).State != "needs_sign_in" || auth(s).Reason != "first_time" {
		t.Errorf("before: %+v", auth(s))
	}
	kontor.Poll(t, kontor.Patience, "the item in the inbox", func() bool {
		in := k.Inbox()
		return in.Total == 1 && len(in.SignIns) == 1 && in.SignIns[0].Server == "docs" && in.SignIns[0].Reason == "first_time"
	})

	if status, page := a.signIn(k, "docs", "nobody, thank you"); status == http.StatusOK || !strings.Contains(page, "Not signed in") {
		t.Errorf("denied: %d %s", status, page)
	}
	if s := k.Server("docs"); s.Status.State != "needs_sign_in" {
		t.Errorf("after a denial: %+v", s.Status)
	}

	status, page := a.signIn(k, "docs", "ada")
	if status != http.StatusOK || !strings.Contains(page, "ada") {
		t.Fatalf("signed in: %d %s", status, page)
	}
	s = k.AwaitState("docs", "ready")
	if auth(s).Account != "ada" || auth(s).State != "signed_in" || !auth(s).Renewable || auth(s).Issuer != a.Issuer {
		t.Errorf("signed in: %+v", auth(s))
	}
	kontor.Poll(t, kontor.Patience, "an empty inbox", func() bool { return k.Inbox().Total == 0 })

	a.acrossExpiries(k)
	a.twentyAtOnce(k)
	a.nothingGotOut(k, news)
	k = a.killedWhileRenewing(k)
	a.signOutAndInAsAnother(k)
}

func (a authority) acrossExpiries(k *kontor.Kontor) {
	a.t.Helper()
	for begun, n := time.Now(), 0; a.stats().Refreshes < 3; n++ {
		a.echo(k, "docs", "again")
		if time.Since(begun) > kontor.Patience {
			a.t.Fatalf("only %d renewals after %d calls", a.stats().Refreshes, n)
		}
	}
}

// twentyAtOnce has many calls meet a token that has ended.
func (a authority) twentyAtOnce(k *kontor.Kontor) {
	a.t.Helper()
	expired := auth(k.Server("docs")).ExpiresAt
	kontor.Poll(a.t, kontor.Patience, "the token's end", func() bool { return time.Now().After(expired) })
	before := a.stats().Refreshes
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() { a.echo(k, "docs", "at once") })
	}
	calls.Wait()
	if got := a.stats(); got.Refreshes-before != 1 || len(got.Failures) != 0 {
		a.t.Errorf("%d renewals, %q, want 1", got.Refreshes-before, got.Failures)
	}
}

// nothingGotOut looks for every token in all that Kontor wrote and said.
func (a authority) nothingGotOut(k *kontor.Kontor, news *kontor.Events) {
	a.t.Helper()
	res, err := http.Get(a.Issuer + "/secrets")
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	var secrets []string
	if err := json.NewDecoder(res.Body).Decode(&secrets); err != nil || len(secrets) < 8 {
		a.t.Fatalf("%d secrets, %v", len(secrets), err)
	}
	said := map[string]string{"stdout": k.Stdout(), "stderr": k.Stderr(), "events": news.Text()}
	for _, path := range []string{"/api/servers", "/api/servers/docs/trace", "/api/servers/docs/logs", "/api/calls", "/api/inbox", "/api/about"} {
		said[path] = string(k.Get(path, nil))
	}
	err = filepath.WalkDir(k.Data, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			said[path] = string(content(a.t, path))
		}
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
	for where, text := range said {
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				a.t.Errorf("%s holds a token", where)
			}
		}
	}
}

// killedWhileRenewing ends Kontor while the authorization server has its request, and
// starts it again: nobody is asked.
func (a authority) killedWhileRenewing(k *kontor.Kontor) *kontor.Kontor {
	a.t.Helper()
	res, err := http.Post(a.Issuer+"/hold", "", nil)
	if err != nil {
		a.t.Fatal(err)
	}
	_ = res.Body.Close()
	kontor.Poll(a.t, kontor.Patience, "a renewal under way", func() bool {
		k.StartCall("mcp__docs__echo", `{"message": "cut"}`)
		return a.stats().Held
	})
	k.Kill9()
	next := kontor.Start(a.t, kontor.Options{Data: k.Data, Args: []string{"--listen", k.Address}}) // the redirect address stays
	if s := next.AwaitState("docs", "ready"); auth(s).Account != "ada" {
		a.t.Errorf("after the restart: %+v", auth(s))
	}
	a.echo(next, "docs", "after the restart")
	if failures := a.stats().Failures; len(failures) != 0 {
		a.t.Errorf("renewals failed: %q", failures)
	}
	return next
}

func (a authority) signOutAndInAsAnother(k *kontor.Kontor) {
	a.t.Helper()
	before := a.stats().Revoked
	k.Send(http.StatusOK, http.MethodDelete, "/api/servers/docs/sign-in", nil, nil)
	if s := k.AwaitState("docs", "needs_sign_in"); auth(s).State != "signed_out" || auth(s).Account != "" {
		a.t.Errorf("signed out: %+v", auth(s))
	}
	if got := a.stats().Revoked; got == before {
		a.t.Error("nothing was revoked")
	}
	if status, page := a.signIn(k, "docs", "bob"); status != http.StatusOK {
		a.t.Fatalf("signed in again: %d %s", status, page)
	}
	if s := k.AwaitState("docs", "ready"); auth(s).Account != "bob" {
		a.t.Errorf("signed in again: %+v", auth(s))
	}
	a.echo(k, "docs", "as bob")
	if got := a.stats().Registrations; got != 1 {
		a.t.Errorf("%d registrations, want 1", got)
	}
}

func TestAResourceThatTheAuthorizationServerDoesNotKnow(t *testing.T) {
	t.Parallel()
	a := startAuthority(t)
	k := kontor.Start(t, kontor.Options{})
	k.Add("other", kontor.Config{"url": a.Other})
	k.AwaitState("other", "needs_sign_in")
	status, page := a.signIn(k, "other", "ada")
	if status == http.StatusOK || !strings.Contains(page, "invalid_target") {
		t.Errorf("got %d %s", status, page)
	}
	if got := a.stats(); got.Codes != 0 {
		t.Errorf("%d codes were exchanged", got.Codes)
	}
}
