package oauth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// assertionType is what a client assertion is (RFC 7523 §2.2).
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

// assertionLife is how long an assertion is good for: as long as a request takes,
// and clocks that differ.
const assertionLife = 2 * time.Minute

// signingKey reads a private key for ES256, as PEM (PKCS #8 or SEC 1) or JWK. The
// words never repeat it.
func signingKey(text string) (*ecdsa.PrivateKey, error) {
	var key any
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "{") {
		var jwk jose.JSONWebKey
		if json.Unmarshal([]byte(text), &jwk) != nil {
			return nil, errors.New("private_key is no JWK")
		}
		key = jwk.Key
	} else {
		block, _ := pem.Decode([]byte(text))
		if block == nil {
			return nil, errors.New("private_key is neither PEM nor a JWK")
		}
		var err error
		if key, err = x509.ParsePKCS8PrivateKey(block.Bytes); err != nil {
			key, _ = x509.ParseECPrivateKey(block.Bytes)
		}
	}
	ec, ok := key.(*ecdsa.PrivateKey)
	if !ok || ec == nil || ec.Curve != elliptic.P256() {
		return nil, errors.New("private_key must be a private key on the curve P-256, for ES256")
	}
	return ec, nil
}

// clientAssertion is the JWT by which a client proves itself to an issuer (RFC
// 7523 §3): about itself, by itself, for that issuer only, once.
func clientAssertion(c client, issuer string, now time.Time) (string, error) {
	key, err := signingKey(c.key)
	if err != nil {
		return "", err
	}
	options := (&jose.SignerOptions{}).WithType("JWT")
	if c.keyID != "" {
		options = options.WithHeader(jose.HeaderKey("kid"), c.keyID)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: key}, options)
	if err != nil {
		return "", err
	}
	return jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: c.ID, Subject: c.ID, Audience: jwt.Audience{issuer}, ID: rand.Text(),
		IssuedAt: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(now.Add(assertionLife)),
	}).Serialize()
}

// identityAlgorithms are those whose tokens are read for a name.
var identityAlgorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA, jose.HS256,
}

// person is who signed in: the name that they know themselves by, and who that is to
// the issuer, which alone stays the same (OpenID Connect Core §5.7).
type person struct{ name, subject string }

// identity is who an ID token is about. It is shown, and decides only whether a sign-in
// from before is revoked; and it came straight from the token endpoint, so its
// signature isn't checked (OpenID Connect Core §3.1.3.7, 6).
func identity(idToken string) person {
	token, err := jwt.ParseSigned(idToken, identityAlgorithms)
	if err != nil {
		return person{}
	}
	var claims struct {
		Email    string `json:"email"`
		Username string `json:"preferred_username"`
		Name     string `json:"name"`
		Subject  string `json:"sub"`
	}
	if token.UnsafeClaimsWithoutVerification(&claims) != nil {
		return person{}
	}
	for _, name := range []string{claims.Email, claims.Username, claims.Name, claims.Subject} {
		if name = foreign(name); name != "" {
			return person{name, claims.Subject}
		}
	}
	return person{}
}
