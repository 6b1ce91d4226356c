package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

func TestTheAccountIsWhoTheIDTokenNames(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, key := pemKey(t)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, nil)
	if err != nil {
		t.Fatal(err)
	}
	id, err := jwt.Signed(signer).Claims(map[string]any{"sub": "42", "email": "ada@example.org\n"}).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	r.issuer.set(func() { r.issuer.extra["id_token"] = id })
	if got := r.signIn(r.docs()).Auth.Account; got != "ada@example.org" {
		t.Errorf("Account = %q", got)
	}
	for _, text := range []string{"", "x", "a.b.c", id + "x."} {
		if got := identity(text); strings.Contains(got.name, canary) {
			t.Errorf("identity(%q) = %q", text, got.name)
		}
	}
}

func TestKeysThatCantSignES256(t *testing.T) {
	t.Parallel()
	p384, _ := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	der, _ := x509.MarshalPKCS8PrivateKey(p384)
	_, key := pemKey(t)
	public, _ := json.Marshal(jose.JSONWebKey{Key: key.Public()})
	for _, text := range []string{"", canary, "{", string(public), `{"kty":"oct","k":"` + canary + `"}`, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))} {
		if _, err := signingKey(text); err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("signingKey(%q) = %v", text, err)
		}
	}
}
