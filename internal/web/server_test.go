package web_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/hub"
	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/oauth"
	"kontor.dev/kontor/internal/policy"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/serverlog"
	"kontor.dev/kontor/internal/servers"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
	"kontor.dev/kontor/internal/web"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

// site is the real handler over real parts; only the MCP servers are made up.
type site struct {
	*httptest.Server
	t      *testing.T
	access *access.Service
	store  *store.Store
	inbox  *inbox.Inbox
	bus    *bus.Bus
	logs   *serverlog.Log
	shelf  *catalogue.Catalogue
	token  string
	link   func() string
}

// tool answers a call of the made-up server "fake".
type tool func(arguments json.RawMessage) (json.RawMessage, error)

func (f tool) CallTool(_ context.Context, call client.ToolCall) (json.RawMessage, error) {
	return f(call.Arguments)
}

type siteOptions struct {
	tool    tool
	change  func(*web.Options)
	noBuild bool
	hub     hub.Options
}

const manifest = `{
	"src/main.ts":{"file":"assets/main-1.js","css":["assets/main-2.css"],"imports":["_shared"]},
	"_shared":{"file":"assets/shared-3.js","css":["assets/shared-4.css"]},
	"src/pages.css":{"file":"assets/pages-5.css"},
	"src/signin/tab.ts":{"file":"assets/tab-6.js"}}`

func start(t *testing.T, o siteOptions) *site {
	t.Helper()
	s := &site{t: t, store: storetest.New(t), bus: bus.New()}
	var err error
	if s.access, err = access.New(access.Options{Store: s.store, APIToken: "full-token", Changed: func() { s.bus.Publish(model.SettingsChanged{}) }}); err != nil {
		t.Fatal(err)
	}
	files, err := media.Open(t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	redactor := &secret.Redactor{}
	if s.logs, err = serverlog.Open(serverlog.Options{Dir: t.TempDir(), Redact: redactor.Redact, Publish: func(l model.LogLine) { s.bus.Publish(l) }}); err != nil {
		t.Fatal(err)
	}
	s.inbox = inbox.New(inbox.Options{Store: s.store, Publish: s.bus.Publish, Log: slog.New(slog.DiscardHandler)})
	if s.shelf, err = catalogue.New(t.Context(), catalogue.Options{Pins: s.store, Publish: s.bus.Publish}); err != nil {
		t.Fatal(err)
	}
	open := calls.NewRegistry(s.bus.Publish)
	manager := servers.New(servers.Options{
		Store: s.store, Catalogue: s.shelf, Inbox: s.inbox, Questions: open, Log: s.logs, Redactor: redactor,
		Expander: secret.Expander{Lookup: func(string) (string, bool) { return "", false }}, Publish: s.bus.Publish,
	})
	if err := manager.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = manager.Close() })
	signIn := oauth.New(oauth.Options{
		Store: s.store, Client: func(string) (*http.Client, error) { return http.DefaultClient, nil },
		BaseURL: func() string { return s.URL }, Changed: func(string) {}, Hide: redactor.Set,
	})
	t.Cleanup(func() { _ = signIn.Close() })
	fake := model.Server{Name: "fake", Transport: model.TransportStdio, Command: "fake", Enabled: true}
	s.shelf.Configure(fake)
	s.shelf.Replace("fake", model.ListTools, []json.RawMessage{json.RawMessage(`{"name":"t","inputSchema":{"type":"object"}}`)})
	policies := policy.New(t.Context(), policy.Options{Store: s.store, Publish: s.bus.Publish, Log: slog.New(slog.DiscardHandler)})
	service := calls.New(calls.Options{
		Open: open, Server: func(string) (model.Server, error) { return fake, nil },
		Connect:   func(context.Context, string) (calls.Conn, error) { return o.tool, nil },
		Catalogue: s.shelf, Policy: policies, Approvals: s.inbox, Store: s.store, Media: files, Publish: s.bus.Publish,
	})
	t.Cleanup(func() { _ = service.Close(context.Background()) })
	o.hub.Build = "test"
	h := hub.New(o.hub)
	built := fstest.MapFS{".vite/manifest.json": {Data: []byte(manifest)}, "assets/main-1.js": {Data: []byte("//")}, "favicon.svg": {Data: []byte("<svg/>")}}
	if o.noBuild {
		built = fstest.MapFS{}
	}
	options := web.Options{
		Access: s.access, Servers: manager, SignIn: signIn, Catalogue: s.shelf, Calls: service, Inbox: s.inbox, Policies: policies, Secrets: s.store,
		Settings: s.store, Media: files, Logs: s.logs, Bus: s.bus, Hub: h, ListenAddr: "127.0.0.1:8787", Assets: built,
		About: wire.About{Version: "test", Key: wire.Key{State: "ok"}},
		Demo:  model.Server{Name: "demo", Transport: model.TransportStdio, Command: "/nonexistent/kontor", Enabled: true},
	}
	if o.change != nil {
		o.change(&options)
	}
	server, handler, err := web.New(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { server.Run(ctx); close(ended) }()
	s.Server = httptest.NewServer(handler)
	t.Cleanup(func() { h.Close(); s.Close(); cancel(); <-ended })
	s.token, s.link = "full-token", func() string { code, _ := s.access.NewLink(); return s.URL + "/login?code=" + code }
	return s
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

// problem is the body as a problem.
func (a answer) problem(t *testing.T) wire.Problem {
	t.Helper()
	var p wire.Problem
	if err := json.Unmarshal([]byte(a.body), &p); err != nil {
		t.Fatalf("no problem: %v in %s", err, a.body)
	}
	if ct := a.Header.Get("Content-Type"); ct != wire.ProblemType || p.Status != a.StatusCode || p.Code == "" {
		t.Errorf("problem %s %+v with status %d", ct, p, a.StatusCode)
	}
	return p
}

// request sends with the full token, unless headers say otherwise: "" leaves one
// out.
func (s *site) request(method, path, body string, headers ...string) answer {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i] == "Host":
			req.Host = headers[i+1]
		case headers[i+1] == "":
			req.Header.Del(headers[i])
		default:
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	return do(s.t, &http.Client{CheckRedirect: noRedirects}, req)
}

func noRedirects(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func do(t *testing.T, c *http.Client, req *http.Request) answer {
	t.Helper()
	res, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res, string(body)}
}

// browser is signed in by a link, and sends what a browser sends.
type browser struct {
	s *site
	c *http.Client
}

func (s *site) browser() browser {
	s.t.Helper()
	b := s.stranger()
	if a := b.get(strings.TrimPrefix(s.link(), s.URL)); a.StatusCode != http.StatusSeeOther {
		s.t.Fatalf("sign in by link: %d %s", a.StatusCode, a.body)
	}
	return b
}

func (s *site) stranger() browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return browser{s, &http.Client{Jar: jar, CheckRedirect: noRedirects}}
}

func (b browser) get(path string) answer {
	b.s.t.Helper()
	return b.send(http.MethodGet, path, "", "Accept", "text/html,*/*", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Site", "none")
}

func (b browser) post(path, form string) answer {
	b.s.t.Helper()
	return b.send(http.MethodPost, path, form, "Accept", "text/html,*/*", "Content-Type", "application/x-www-form-urlencoded",
		"Origin", b.s.URL, "Sec-Fetch-Site", "same-origin")
}

func (b browser) send(method, path, body string, headers ...string) answer {
	b.s.t.Helper()
	req, err := http.NewRequestWithContext(b.s.t.Context(), method, b.s.URL+path, strings.NewReader(body))
	if err != nil {
		b.s.t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return do(b.s.t, b.c, req)
}
