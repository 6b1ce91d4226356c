//go:build real

package real

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/test/kontor"
)

// buildOpenID compiles the example provider of zitadel/oidc, which is a module of its
// own.
func buildOpenID(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "op")
	cmd := exec.Command("go", "build", "-C", "op", "-o", binary, "github.com/zitadel/oidc/v3/example/server")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return binary
}

// protected is an MCP server that lets in whom the provider knows.
func protected(t *testing.T, issuer string) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "protected", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "hello"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "hello"}}}, nil, nil
	})
	mux := http.NewServeMux()
	site := httptest.NewServer(mux)
	t.Cleanup(func() {
		site.CloseClientConnections() // a stream is open
		site.Close()
	})
	mux.HandleFunc("GET /.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"resource": site.URL + "/mcp", "authorization_servers": []string{issuer}, "scopes_supported": []string{"openid", "profile"},
		})
	})
	inner := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if !knows(issuer, r.Header.Get("Authorization")) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
	return site.URL + "/mcp"
}

// knows asks the provider about a token.
func knows(issuer, authorization string) bool {
	req, err := http.NewRequest(http.MethodGet, issuer+"userinfo", nil)
	if err != nil || authorization == "" {
		return false
	}
	req.Header.Set("Authorization", authorization)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

var loginID = regexp.MustCompile(`name="id" value="([^"]+)"`)

// A plain OpenID provider: openid-configuration alone, no registration, no resource
// indicators, an issuer that ends in a slash, a client with a secret.
func TestSignInAtAPlainOpenIDProvider(t *testing.T) {
	t.Parallel()
	binary := buildOpenID(t)
	k := kontor.Start(t, kontor.Options{})
	port := freePort(t)
	issuer := "http://localhost:" + port + "/"
	cmd := exec.Command(binary)
	cmd.Env = append(os.Environ(), "PORT="+port, "REDIRECT_URI=http://"+k.Address+"/oauth/callback")
	startHTTP(t, "server listening", cmd)
	address := protected(t, issuer)
	k.Add("plain", kontor.Config{"url": address})
	k.AwaitState("plain", "needs_sign_in")

	// Without a client there is no address, and the person learns what to register.
	got, err := k.As(kontor.Token).Do(http.MethodPost, "/api/servers/plain/sign-in", map[string]any{})
	if err != nil || got.Status != http.StatusUnprocessableEntity || !strings.Contains(string(got.Body), `"redirect_uri":"http://`+k.Address+`/oauth/callback"`) {
		t.Errorf("without a client: %d %s %v", got.Status, got.Body, err)
	}
	k.Send(http.StatusOK, http.MethodPut, "/api/servers/plain", map[string]any{
		"url": address, "oauth": map[string]any{"client_id": "web", "client_secret": "secret"},
	}, nil)
	var begun struct {
		URL string `json:"authorization_url"`
	}
	k.Post("/api/servers/plain/sign-in", map[string]any{}, &begun)
	b := newTab(t)
	at, _, page := b.open(http.NewRequest(http.MethodGet, begun.URL, nil))
	id := loginID.FindStringSubmatch(page)
	if id == nil {
		t.Fatalf("%s is no login page: %s", at, page)
	}
	fields := url.Values{"id": {id[1]}, "username": {"test-user2"}, "password": {"verysecure"}}
	req, err := http.NewRequest(http.MethodPost, b.link(at, page, formAction), strings.NewReader(fields.Encode()))
	if err == nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	at, status, page := b.open(req, err)
	if status != http.StatusOK || !strings.Contains(page, "Signed in") {
		t.Fatalf("%s: %d %s", at, status, page)
	}
	s := k.AwaitState("plain", "ready")
	if auth(s).State != "signed_in" || auth(s).Issuer != issuer || auth(s).Account == "" {
		t.Errorf("signed in: %+v", auth(s))
	}
	if c := k.Call("mcp__plain__hello", `{}`); c.State != "done" || c.Text() != "hello" {
		t.Errorf("hello: %s %s %+v", c.State, c.Result, c.Error)
	}
}
