package oauth

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const useNonce = "use_dpop_nonce" // RFC 9449 §8

// prover makes the proofs that a token belongs to who sends it (RFC 9449): one key
// for one sign-in. It doesn't change once it is made; nonces are the account's.
type prover struct {
	key    *ecdsa.PrivateKey
	signer jose.Signer
	nonces nonces
}

// nonces are what servers want in the next proof, by origin.
type nonces interface {
	nonce(origin string) string
	learn(origin, nonce string)
}

func newProver(n nonces) (*prover, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return proverWith(key, n)
}

// proverOf reads a key that marshal wrote.
func proverOf(jwk json.RawMessage, n nonces) (*prover, error) {
	key, err := signingKey(string(jwk))
	if err != nil {
		return nil, err
	}
	return proverWith(key, n)
}

func proverWith(key *ecdsa.PrivateKey, n nonces) (*prover, error) {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key},
		&jose.SignerOptions{EmbedJWK: true, ExtraHeaders: map[jose.HeaderKey]any{jose.HeaderType: "dpop+jwt"}})
	return &prover{key: key, signer: signer, nonces: n}, err
}

func (p *prover) marshal() json.RawMessage {
	if p == nil {
		return nil
	}
	data, _ := json.Marshal(jose.JSONWebKey{Key: p.key})
	return data
}

// thumbprint is the key's (RFC 7638), which dpop_jkt binds a code to.
func (p *prover) thumbprint() string {
	sum, err := (&jose.JSONWebKey{Key: p.key.Public()}).Thumbprint(crypto.SHA256)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(sum)
}

// proof is for one request (RFC 9449 §4.2); with a token when it goes along.
func (p *prover) proof(method string, u *url.URL, token string, now time.Time) (string, error) {
	claims := map[string]any{
		"jti": rand.Text(), "htm": method, "iat": now.Unix(),
		"htu": (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String(),
	}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	if n := p.nonces.nonce(origin(u)); n != "" {
		claims["nonce"] = n
	}
	return jwt.Signed(p.signer).Claims(claims).Serialize()
}

// sign puts a proof on a request that is the caller's to change.
func (p *prover) sign(req *http.Request, token string) error {
	proof, err := p.proof(req.Method, req.URL, token, time.Now())
	if err == nil {
		req.Header.Set("DPoP", proof)
	}
	return err
}

// wantsNonce learns from an answer, and tells whether the request is refused only
// because its proof lacked the nonce that came with the answer (§8, §9).
func (p *prover) wantsNonce(resp *http.Response) bool {
	nonce := resp.Header.Get("DPoP-Nonce")
	if nonce == "" || len(nonce) > 1024 {
		return false
	}
	at := origin(resp.Request.URL)
	known := p.nonces.nonce(at) == nonce
	p.nonces.learn(at, nonce)
	if known || resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusBadRequest {
		return false
	}
	if ch, _ := parseChallenge(resp.Header); ch.Error == useNonce {
		return true
	}
	var body struct{ Error string }
	return json.Unmarshal(peek(resp), &body) == nil && body.Error == useNonce
}

// peek reads the beginning of a body and puts it back.
func peek(resp *http.Response) []byte {
	head, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	return head
}

// nonce and learn are the account's part: an account asks one server and one
// authorization server, so it never holds many.
func (a *account) nonce(origin string) string {
	a.nonceMu.Lock()
	defer a.nonceMu.Unlock()
	return a.nonces[origin]
}

func (a *account) learn(origin, nonce string) {
	a.nonceMu.Lock()
	defer a.nonceMu.Unlock()
	if len(a.nonces) > 16 {
		clear(a.nonces)
	}
	a.nonces[origin] = nonce
}
