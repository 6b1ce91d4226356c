package oauth

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestServersWithoutMetadataAreTheirOwnAuthorizationServer(t *testing.T) {
	t.Parallel()
	for _, documented := range []bool{true, false} {
		r := newRig(t)
		r.server.set(func() { r.server.challenge, r.server.metadata = "Bearer", nil })
		r.issuer.set(func() {
			r.issuer.answer = func(q url.Values) { delete(q, "iss") }
			r.issuer.alter = func(m map[string]any) {
				for k, v := range m {
					if s, ok := v.(string); ok {
						m[k] = strings.ReplaceAll(s, r.issuer.srv.URL, r.server.srv.URL)
					}
				}
				m["authorization_response_iss_parameter_supported"] = nil
			}
			if !documented {
				r.issuer.paths = nil
			}
		})
		inner := r.server.srv.Config.Handler
		r.server.srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == "/mcp" || strings.Contains(req.URL.Path, "protected-resource") {
				inner.ServeHTTP(w, req)
			} else {
				r.issuer.ServeHTTP(w, req)
			}
		})
		c := r.client(r.docs())
		r.wantCall(c, "/mcp", 401)
		r.signIn(r.docs())
		r.wantCall(c, "/mcp", 200)
	}
}
