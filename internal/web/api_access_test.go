package web_test

import (
	"encoding/json"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/web"
)

func TestAccessThroughTheAPI(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	b, other := s.browser(), s.browser()
	sent := func(b browser, method, path, body string) answer {
		return b.send(method, path, body, "Content-Type", "application/json", "Origin", s.URL)
	}
	if a := sent(b, "PUT", "/api/access/password", `{"password":"correct horse"}`); a.StatusCode != 204 {
		t.Fatalf("set a password: got %d %s", a.StatusCode, a.body)
	}
	if a := sent(other, "GET", "/api/inbox", ""); a.StatusCode != 401 {
		t.Errorf("another browser after that: got %d, want 401", a.StatusCode)
	}
	if a := sent(b, "PUT", "/api/access/password", `{"password":"another horse"}`); a.StatusCode != 403 {
		t.Errorf("without the current one: got %d, want 403", a.StatusCode)
	}
	if a := sent(b, "GET", "/api/access", ""); !strings.Contains(a.body, `"password_set":true`) {
		t.Errorf("access: got %s", a.body)
	}
	a := sent(b, "POST", "/api/tokens", `{"name":"editor","scope":"gateway","expires_in_days":7}`)
	var created struct {
		Value string
		Token struct{ ID string }
	}
	if err := json.Unmarshal([]byte(a.body), &created); err != nil || a.StatusCode != 201 || !strings.HasPrefix(created.Value, "kt_") {
		t.Fatalf("create a token: got %d %s", a.StatusCode, a.body)
	}
	if a := sent(b, "GET", "/api/tokens", ""); strings.Contains(a.body, created.Value) || !strings.Contains(a.body, created.Token.ID) {
		t.Errorf("tokens: got %s", a.body)
	}
	if a := sent(b, "DELETE", "/api/tokens/"+created.Token.ID, ""); a.StatusCode != 204 {
		t.Errorf("revoke: got %d %s", a.StatusCode, a.body)
	}
	if a := sent(b, "GET", "/api/access/sessions", ""); strings.Count(a.body, `"id"`) != 1 || !strings.Contains(a.body, `"current":true`) {
		t.Errorf("sessions: got %s", a.body)
	}
	if a := sent(b, "POST", "/api/access/log-out", ""); a.StatusCode != 204 || !strings.Contains(a.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("log out: got %d %v", a.StatusCode, a.Header)
	}
	if a := sent(b, "GET", "/api/inbox", ""); a.StatusCode != 401 {
		t.Errorf("after that: got %d, want 401", a.StatusCode)
	}
}

func TestAPublicAddressKeepsItsPassword(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{change: func(o *web.Options) { o.ListenAddr = "0.0.0.0:8787" }})
	s.request("PUT", "/api/access/password", `{"password":"correct horse"}`)
	// KONTOR_API_TOKEN guards it too, so this one may go.
	if a := s.request("POST", "/api/access/password/remove", `{"current":"correct horse"}`); a.StatusCode != 204 {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
}

func TestAWrongPasswordIsSlowedDownWithRetryAfter(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if err := s.access.SetPassword(t.Context(), "correct horse", ""); err != nil {
		t.Fatal(err)
	}
	b := s.stranger()
	// How long a try takes depends on the machine, and the wait doubles with each.
	tries := 1
	for ; b.post("/login", "password=wrong").StatusCode == 403; tries++ {
		if tries > 12 {
			t.Fatal("twelve wrong passwords in a row are not slowed down")
		}
	}
	if tries <= 5 {
		t.Errorf("slowed down at try %d, want five free ones", tries)
	}
	if a := b.post("/login", "password=correct+horse"); a.StatusCode != 429 || a.Header.Get("Retry-After") == "" {
		t.Errorf("the right one while waiting: got %d %v", a.StatusCode, a.Header)
	}
	// The owner gets in all the same.
	if a := b.get(strings.TrimPrefix(s.link(), s.URL)); a.StatusCode != 303 {
		t.Errorf("a link: got %d", a.StatusCode)
	}
}
