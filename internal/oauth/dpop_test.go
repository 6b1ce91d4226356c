package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"kontor.dev/kontor/internal/model"
)

// proofs checks DPoP proofs as RFC 9449 §4.3 says, and wants a nonce where it is set.
type proofs struct {
	nonce string
	seen  map[string]bool
	key   string // thumbprint of the first
	asked int
}

// check returns what is wrong with a request's proof; useNonce when only the nonce.
func (p *proofs) check(req *http.Request, token string) string {
	signed, err := jwt.ParseSigned(req.Header.Get("DPoP"), []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || len(req.Header.Values("DPoP")) != 1 {
		return "no proof"
	}
	jwk := signed.Headers[0].JSONWebKey
	if jwk == nil || !jwk.IsPublic() || signed.Headers[0].ExtraHeaders["typ"] != "dpop+jwt" {
		return "header"
	}
	var c struct {
		ID    string `json:"jti"`
		HTM   string `json:"htm"`
		HTU   string `json:"htu"`
		IAT   int64  `json:"iat"`
		ATH   string `json:"ath"`
		Nonce string `json:"nonce"`
	}
	if err := signed.Claims(jwk.Key, &c); err != nil {
		return "signature"
	}
	sum, _ := jwk.Thumbprint(5) // crypto.SHA256
	if p.key == "" {
		p.key = string(sum)
	}
	ath := sha256.Sum256([]byte(token))
	switch {
	case p.seen[c.ID]:
		return "replay"
	case c.HTM != req.Method || c.HTU != "http://"+req.Host+req.URL.Path || strings.Contains(c.HTU, "?"):
		return "another request"
	case time.Since(time.Unix(c.IAT, 0)).Abs() > time.Minute:
		return "time"
	case token != "" && c.ATH != base64.RawURLEncoding.EncodeToString(ath[:]):
		return "another token"
	case string(sum) != p.key:
		return "another key"
	}
	p.seen[c.ID] = true
	if p.nonce != "" && c.Nonce != p.nonce {
		p.asked++
		return useNonce
	}
	return ""
}

func TestDPoPBindsTokensToAKeyWithAndWithoutNonces(t *testing.T) {
	t.Parallel()
	for _, nonce := range []string{"", "n1"} {
		r := newRig(t)
		as := &proofs{nonce: nonce, seen: map[string]bool{}}
		rs := &proofs{seen: map[string]bool{}}
		if nonce != "" {
			rs.nonce = "rs-" + nonce
		}
		r.issuer.set(func() {
			r.issuer.extra["token_type"] = "dpop"
			r.issuer.alter = func(m map[string]any) { m["dpop_signing_alg_values_supported"] = []string{"ES256"} }
			r.issuer.tokenHook = func(w http.ResponseWriter, req *http.Request) bool {
				problem := as.check(req, "")
				if problem == useNonce {
					w.Header().Set("DPoP-Nonce", as.nonce)
				}
				if problem != "" {
					oauthError(w, 400, problem, "")
				}
				return problem != ""
			}
		})
		r.server.set(func() {
			r.server.check = func(w http.ResponseWriter, req *http.Request) bool {
				scheme, access, _ := strings.Cut(req.Header.Get("Authorization"), " ")
				if access == "" {
					return false
				}
				problem := rs.check(req, access)
				if _, ok := r.issuer.valid(access); scheme != "DPoP" || !ok {
					problem = "invalid_token"
				}
				if problem != "" {
					w.Header().Set("DPoP-Nonce", rs.nonce)
					w.Header().Set("WWW-Authenticate", `DPoP error="`+problem+`"`)
					w.WriteHeader(401)
				}
				return true
			}
		})
		server := r.docs(func(o *model.OAuth) { o.DPoP = true })
		r.signIn(server)
		if r.asked().Get("dpop_jkt") == "" {
			t.Error("the code isn't bound to the key")
		}
		c := r.client(server)
		r.wantCall(c, "/mcp", 200)
		r.wantCall(c, "/mcp?secret=1", 200)
		r.issuer.expire()
		as.nonce, rs.nonce = as.nonce+as.nonce, rs.nonce+rs.nonce // both have changed meanwhile
		r.wantCall(c, "/mcp", 200)
		r.s = r.service() // the key is kept
		r.wantCall(r.client(server), "/mcp", 200)
		if as.key != rs.key || nonce != "" && (as.asked != 2 || rs.asked != 3) {
			t.Errorf("nonces: asked for %d and %d times", as.asked, rs.asked)
		}
	}
}

func TestATokenThatIsntBoundIsntTakenForOneThatIs(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for kind, dpop := range map[string]bool{"Bearer": true, "DPoP": false} {
		r.issuer.set(func() { r.issuer.extra["token_type"] = kind })
		server := r.docs(func(o *model.OAuth) { o.DPoP = dpop })
		if _, err := r.s.Finish(t.Context(), r.browse(r.start(server).URL), "mine"); err == nil {
			t.Errorf("a %s token is taken when DPoP is %v", kind, dpop)
		}
	}
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) { m["dpop_signing_alg_values_supported"] = []string{"RS256"} }
	})
	r.wantNoStart(r.docs(func(o *model.OAuth) { o.DPoP = true }), "RS256")
}
