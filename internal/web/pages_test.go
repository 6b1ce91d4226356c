package web_test

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web"
)

func TestSigningInByLinkLeadsToSetUpOnce(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	link := strings.TrimPrefix(s.link(), s.URL)
	b := s.stranger()
	if a := b.get(link); a.StatusCode != 303 || a.Header.Get("Location") != "/setup" {
		t.Fatalf("got %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
	if a := s.stranger().get(link); a.StatusCode != 403 || !strings.Contains(a.body, "has been used") {
		t.Errorf("the link again: got %d %s", a.StatusCode, a.body)
	}
	if a := b.get("/setup"); a.StatusCode != 200 || !strings.Contains(a.body, "assets/pages-5.css") || strings.Contains(a.body, "<script") {
		t.Errorf("set-up: got %d %s", a.StatusCode, a.body)
	}
	if a := b.post("/setup", "action=save&password=short"); a.StatusCode != 422 || !strings.Contains(a.body, "8 to 1024") {
		t.Errorf("a short password: got %d %s", a.StatusCode, a.body)
	}
	if a := b.post("/setup", "action=save&password=correct+horse&demo=yes&base_url="); a.StatusCode != 303 || a.Header.Get("Location") != "/" {
		t.Fatalf("save: got %d %s", a.StatusCode, a.body)
	}
	if _, err := s.store.Server(t.Context(), "demo"); err != nil {
		t.Errorf("the demo server: %v", err)
	}
	if a := b.get("/"); a.StatusCode != 200 {
		t.Errorf("still signed in: got %d", a.StatusCode)
	}
	again := s.stranger()
	if a := again.post("/login", "password=correct+horse&next=%2Ftools%3Fq%3D1"); a.StatusCode != 303 || a.Header.Get("Location") != "/tools?q=1" {
		t.Errorf("by password: got %d to %s", a.StatusCode, a.Header.Get("Location"))
	}
}

func TestSigningInGoesNowhereElse(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	if err := s.store.SetSetting(t.Context(), "setup_done", json.RawMessage("true")); err != nil {
		t.Fatal(err)
	}
	for _, next := range []string{"//evil.example", `/\evil.example`, "https://evil.example", "javascript:alert(1)", "/api/about", "/\tx", ""} {
		a := s.stranger().get(strings.TrimPrefix(s.link(), s.URL) + "&next=" + url.QueryEscape(next))
		if a.Header.Get("Location") != "/" {
			t.Errorf("next=%q: got %q, want /", next, a.Header.Get("Location"))
		}
	}
	if a := s.stranger().get("/servers/x?tab=log"); a.Header.Get("Location") != "/login?next=%2Fservers%2Fx%3Ftab%3Dlog" {
		t.Errorf("a page without anybody: got %q", a.Header.Get("Location"))
	}
}

func TestTheShell(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	for _, path := range []string{"/", "/inbox", "/servers/a", "/no/such/page"} {
		a := s.request("GET", path, "", "Accept", "text/html")
		for _, want := range []string{`src="/assets/main-1.js"`, `href="/assets/main-2.css"`, `href="/assets/shared-4.css"`, `<script id="boot" type="application/json">{"version":"test"`} {
			if a.StatusCode != 200 || !strings.Contains(a.body, want) {
				t.Errorf("%s: got %d, %s is not in %s", path, a.StatusCode, want, a.body)
			}
		}
		if a := s.request("GET", path, "", "Accept", "application/json"); a.StatusCode != 404 {
			t.Errorf("%s for a program: got %d, want 404", path, a.StatusCode)
		}
	}
	if a := s.request("GET", "/api/no", "", "Accept", "text/html"); a.problem(t).Code != "not_found" {
		t.Errorf("an unknown API address: got %s", a.body)
	}
	if a := s.request("GET", "/assets/main-1.js", "", "Authorization", ""); !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
		t.Errorf("a built file: got %v", a.Header)
	}
	for _, path := range []string{"/assets/../.vite/manifest.json", "/assets/%2e%2e/.vite/manifest.json", "/assets/"} {
		if a := s.request("GET", path, ""); strings.Contains(a.body, "isEntry") || a.StatusCode == 200 {
			t.Errorf("%s: got %d %s", path, a.StatusCode, a.body)
		}
	}
}

func TestWithoutABuildTheShellSaysWhatToDo(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{noBuild: true})
	if a := s.request("GET", "/", "", "Accept", "text/html"); a.StatusCode != 503 || !strings.Contains(a.body, "make web") {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
}

func TestInDevelopmentTheShellPointsAtVite(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{noBuild: true, change: func(o *web.Options) { o.DevURL = "http://127.0.0.1:5173" }})
	a := s.request("GET", "/", "", "Accept", "text/html")
	if !strings.Contains(a.body, `src="http://127.0.0.1:5173/src/main.ts"`) || !strings.Contains(a.Header.Get("Content-Security-Policy"), "ws://127.0.0.1:5173") {
		t.Errorf("got %s with %s", a.body, a.Header.Get("Content-Security-Policy"))
	}
}

// ask puts a question into the inbox and returns its id, and what it is answered.
func (s *site) ask(item model.Item) (id string, answered <-chan model.Answer) {
	s.t.Helper()
	news := s.bus.Subscribe(16)
	defer news.Close()
	item.Kind, item.Server = cmp.Or(item.Kind, model.ItemElicitation), "fake"
	out, ended := make(chan model.Answer, 1), make(chan struct{})
	s.t.Cleanup(func() { <-ended })
	go func() {
		defer close(ended)
		a, err := s.inbox.Ask(s.t.Context(), item)
		if err != nil {
			return // the test is over
		}
		out <- a
	}()
	for e := range news.C() {
		if added, ok := e.(model.ItemAdded); ok {
			return added.Item.ID, out
		}
	}
	return "", out
}

const passphrase = `{"type":"object","required":["passphrase","count"],"properties":{
	"passphrase":{"type":"string","title":"Passphrase"},"count":{"type":"integer","minimum":9007199254740993}}}`

func TestAnItemIsAnsweredWithoutScript(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	b := s.browser()
	id, answered := s.ask(model.Item{Mode: model.ElicitForm, Message: "<b>Please</b>", Schema: json.RawMessage(passphrase), Deadline: time.Now().Add(90 * time.Second)})
	a := b.get("/inbox/" + id)
	for _, want := range []string{"&lt;b&gt;Please", `type="password"`, "Goes to fake", "2 min left", `value="decline"`} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s is not in %s", want, a.body)
		}
	}
	a = b.post("/inbox/"+id, "action=accept&f0=hidden-value&f1=12")
	if a.StatusCode != 422 || !strings.Contains(a.body, "Must be at least 9007199254740993.") || !strings.Contains(a.body, `value="12"`) {
		t.Errorf("a wrong field: got %d %s", a.StatusCode, a.body)
	}
	if strings.Contains(a.body, "hidden-value") {
		t.Error("the secret is drawn again")
	}
	if a := b.post("/inbox/"+id, "action=accept&f0=hidden-value&f1=9007199254740995"); a.StatusCode != 303 || a.Header.Get("Location") != "/inbox/"+id {
		t.Fatalf("accept: got %d %s", a.StatusCode, a.body)
	}
	if got := <-answered; got.Action != model.ActionAccept || !strings.Contains(string(got.Content), `"count":9007199254740995`) {
		t.Errorf("the server got %s %s", got.Action, got.Content)
	}
	if a := b.get("/inbox/" + id); !strings.Contains(a.body, "Accepted by you") || strings.Contains(a.body, "<form") {
		t.Errorf("afterwards: got %s", a.body)
	}
	if a := b.post("/inbox/"+id, "action=decline"); a.StatusCode != 409 || !strings.Contains(a.body, "Accepted by you") {
		t.Errorf("too late: got %d %s", a.StatusCode, a.body)
	}
	if a := b.send("POST", "/inbox/"+id, "action=accept", "Origin", "https://evil.example", "Content-Type", "application/x-www-form-urlencoded"); a.StatusCode != 403 {
		t.Errorf("from another page: got %d", a.StatusCode)
	}
	if a := b.get("/inbox/none"); a.StatusCode != 404 || !strings.Contains(a.body, "<html") {
		t.Errorf("an unknown item: got %d %s", a.StatusCode, a.body)
	}
}

func TestAYesOrNoWithoutScript(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	id, answered := s.ask(model.Item{Mode: model.ElicitForm, Schema: json.RawMessage(`{"type":"object","properties":{}}`)})
	b := s.browser()
	if a := b.get("/inbox/" + id); !strings.Contains(a.body, `value="accept">Yes<`) || !strings.Contains(a.body, `value="decline" formnovalidate>No<`) {
		t.Errorf("got %s", a.body)
	}
	b.post("/inbox/"+id, "action=cancel")
	if got := <-answered; got.Action != model.ActionCancel {
		t.Errorf("got %s, want cancel", got.Action)
	}
}

func TestALinkIsShownWithItsHostAndDoubts(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	b := s.browser()
	for address, want := range map[string]string{
		"https://pay.example/confirm?x=1": `<b>pay.example</b>/confirm?x=1`,
		"https://exаmple.com/confirm":     `<b>xn--exmple-4nf.com</b>/confirm`,
		"https://good.example@evil.test/": "that is evil.test",
		"javascript:alert(1)":             "doesn’t open this address",
	} {
		id, _ := s.ask(model.Item{Mode: model.ElicitURL, URL: address})
		a := b.get("/inbox/" + id)
		if !strings.Contains(a.body, want) || strings.Contains(a.body, `href="javascript`) {
			t.Errorf("%s: got %s", address, a.body)
		}
		if opens := strings.Contains(a.body, `rel="noopener noreferrer"`); opens == strings.HasPrefix(address, "javascript") {
			t.Errorf("%s: offered to open: %v", address, opens)
		}
	}
}

func TestTheAPIResolvesOnce(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	id, answered := s.ask(model.Item{Mode: model.ElicitForm, CallIDs: []string{"c1", "c2"}, Schema: json.RawMessage(passphrase)})
	if a := s.request("GET", "/api/inbox", ""); !strings.Contains(a.body, `"total":1`) || !strings.Contains(a.body, `"call_id":null`) || !strings.Contains(a.body, `"minimum":9007199254740993`) {
		t.Errorf("inbox: got %s", a.body)
	}
	path := "/api/inbox/elicitations/" + id + "/resolve"
	a := s.request("POST", path, `{"action":"accept","content":{"passphrase":"hidden-value","count":1}}`)
	if p := a.problem(t); a.StatusCode != 422 || len(p.Errors) != 1 || p.Errors[0].Location != "body.content.count" || strings.Contains(a.body, "hidden-value") {
		t.Errorf("a wrong answer: got %d %s", a.StatusCode, a.body)
	}
	if a := s.request("POST", path, `{"action":"accept","content":{"passphrase":"hidden-value","count":9007199254740993}}`); a.StatusCode != 200 || !strings.Contains(a.body, `"by":"KONTOR_API_TOKEN"`) {
		t.Errorf("got %d %s", a.StatusCode, a.body)
	}
	if got := <-answered; !strings.Contains(string(got.Content), "9007199254740993") {
		t.Errorf("the server got %s", got.Content)
	}
	a = s.request("POST", path, `{"action":"decline"}`)
	if p := a.problem(t); p.Code != "gone" || a.StatusCode != 409 || p.Resolution == nil || p.Resolution.Action != model.ActionAccept || p.Resolution.By != "KONTOR_API_TOKEN" {
		t.Errorf("again: got %d %s", a.StatusCode, a.body)
	}
}

func TestTheInboxIsReachedWithoutScript(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	b := s.browser()
	if a := b.get("/inbox?plain=1"); a.StatusCode != 200 || !strings.Contains(a.body, "Nothing waits for you") || strings.Contains(a.body, "<script") {
		t.Errorf("an empty one: got %d %s", a.StatusCode, a.body)
	}
	id, _ := s.ask(model.Item{Mode: model.ElicitForm, Message: "Delete <all>?", Schema: json.RawMessage(`{"type":"object","properties":{}}`)})
	a := b.get("/inbox?plain=1")
	for _, want := range []string{`href="/inbox/` + id + `"`, "Delete &lt;all&gt;?", "assets/pages-5.css"} {
		if !strings.Contains(a.body, want) {
			t.Errorf("%s is not in %s", want, a.body)
		}
	}
	_, noscript, _ := strings.Cut(b.get("/inbox").body, "<noscript>")
	if !strings.Contains(noscript, "assets/pages-5.css") || !strings.Contains(noscript, `href="/inbox?plain=1"`) {
		t.Errorf("the shell without script: %s", noscript)
	}
	if a := b.get("/inbox/" + id); !strings.Contains(a.body, `href="/inbox?plain=1"`) {
		t.Error("an item leads to a page that needs script")
	}
}

func TestSetUpOffersTheDemoOnce(t *testing.T) {
	t.Parallel()
	b := start(t, siteOptions{}).browser()
	const offer = `name="demo"`
	if a := b.get("/setup"); !strings.Contains(a.body, offer) {
		t.Errorf("at first: %s", a.body)
	}
	if a := b.post("/setup", "action=save&demo=yes"); a.StatusCode != 303 {
		t.Fatalf("got %d", a.StatusCode)
	}
	if a := b.get("/setup"); a.StatusCode != 200 || strings.Contains(a.body, offer) {
		t.Errorf("once it is there: %d %s", a.StatusCode, a.body)
	}
}

func TestSigningInNamesTheCommandThatWorks(t *testing.T) {
	t.Parallel()
	const command = "/opt/kontor link --data /srv/kontor"
	s := start(t, siteOptions{change: func(o *web.Options) { o.LinkCommand = command }})
	if a := s.stranger().get("/login"); !strings.Contains(a.body, command) {
		t.Errorf("%s is not in %s", command, a.body)
	}
}

func TestAQuestionThatIsNoFormCanOnlyBeDeclined(t *testing.T) {
	t.Parallel()
	s := start(t, siteOptions{})
	id, answered := s.ask(model.Item{Mode: model.ElicitForm, Message: "Name?", Schema: json.RawMessage(`{"type":"string"}`)})
	b := s.browser()
	if a := b.get("/inbox/" + id); strings.Contains(a.body, `value="accept"`) || !strings.Contains(a.body, "can only be declined") {
		t.Errorf("got %s", a.body)
	}
	if a := b.post("/inbox/"+id, "action=decline"); a.StatusCode != 303 {
		t.Errorf("declined: got %d", a.StatusCode)
	}
	if a := <-answered; a.Action != model.ActionDecline {
		t.Errorf("answer = %+v", a)
	}
}
