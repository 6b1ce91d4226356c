package model

import "time"

// OAuthGrant is how a server's tokens are got.
type OAuthGrant string

// The grants. The first is for a person, the others for machines.
const (
	GrantAuthorizationCode OAuthGrant = "authorization_code" // OAuth 2.1, section 4.1
	GrantClientCredentials OAuthGrant = "client_credentials" // OAuth 2.1, section 4.2
	GrantEnterprise        OAuthGrant = "enterprise"         // an ID-JAG from the company's identity provider
	GrantWorkloadIdentity  OAuthGrant = "workload_identity"  // RFC 7523, section 2.1
)

// Ways for a client to prove itself at the token endpoint (RFC 7591, section 2).
const (
	ClientAuthNone          = "none"
	ClientAuthBasic         = "client_secret_basic"
	ClientAuthPost          = "client_secret_post"
	ClientAuthPrivateKeyJWT = "private_key_jwt"
)

// OAuth is how to sign in to a server, as far as the person has a say. What is left
// empty is found out. The JSON is what is no secret.
type OAuth struct {
	// Grant is empty for GrantAuthorizationCode.
	Grant OAuthGrant `json:"grant,omitempty"`

	ClientID     string `json:"client_id,omitempty"`
	ClientSecret Value  `json:"-"`
	// ClientMetadataURL is a client id that is the address of the client's metadata
	// document; empty for Kontor's own, where it has a public one.
	ClientMetadataURL string `json:"client_metadata_url,omitempty"`
	// TokenEndpointAuthMethod is one of the ClientAuth constants, or empty.
	TokenEndpointAuthMethod string `json:"token_endpoint_auth_method,omitempty"`
	// PrivateKey, in PEM (PKCS #8) or as a JWK, signs assertions with ES256; KeyID
	// names it to the authorization server.
	PrivateKey Value  `json:"-"`
	KeyID      string `json:"key_id,omitempty"`
	// Assertion is the JWT of GrantWorkloadIdentity.
	Assertion Value `json:"-"`

	// The company's identity provider, for GrantEnterprise.
	IDPTokenEndpoint string `json:"idp_token_endpoint,omitempty"`
	IDPClientID      string `json:"idp_client_id,omitempty"`
	IDPClientSecret  Value  `json:"-"`
	IDPIDToken       Value  `json:"-"`

	// DPoP binds the tokens to a key (RFC 9449).
	DPoP bool `json:"dpop,omitempty"`
	// Scopes are asked for instead of those that the server names.
	Scopes []string `json:"scopes,omitempty"`
	// AuthorizationServer is an issuer to use where the server names several.
	AuthorizationServer string `json:"authorization_server,omitempty"`
	// RedirectURI replaces <base URL>/oauth/callback.
	RedirectURI string `json:"redirect_uri,omitempty"`
	// AllowWithoutS256 goes on where the metadata doesn't say which PKCE methods there
	// are; a list without S256 is refused all the same.
	AllowWithoutS256 bool `json:"allow_without_s256,omitempty"`
}

// Secrets are the settings that are secrets, by their names on the wire.
func (o *OAuth) Secrets() map[string]*Value {
	return map[string]*Value{
		"client_secret": &o.ClientSecret, "private_key": &o.PrivateKey, "assertion": &o.Assertion,
		"idp_client_secret": &o.IDPClientSecret, "idp_id_token": &o.IDPIDToken,
	}
}

// Machine tells whether tokens are got without a person.
func (o OAuth) Machine() bool { return o.Grant != "" && o.Grant != GrantAuthorizationCode }

// validate says in words what can't be, or nil. What a grant lacks is said when a
// token is got: a `${VAR}` may stand for it.
func (o OAuth) validate() error {
	switch o.Grant {
	case "", GrantAuthorizationCode, GrantClientCredentials, GrantEnterprise, GrantWorkloadIdentity:
	default:
		return Errorf(CodeInvalid, "oauth: grant %q is unknown: use authorization_code, client_credentials, enterprise or workload_identity", o.Grant)
	}
	switch o.TokenEndpointAuthMethod {
	case "", ClientAuthNone, ClientAuthBasic, ClientAuthPost, ClientAuthPrivateKeyJWT:
	default:
		return Errorf(CodeInvalid, "oauth: token_endpoint_auth_method %q is unknown: use none, client_secret_basic, client_secret_post or private_key_jwt", o.TokenEndpointAuthMethod)
	}
	for name, address := range map[string]string{
		"client_metadata_url": o.ClientMetadataURL, "idp_token_endpoint": o.IDPTokenEndpoint,
		"authorization_server": o.AuthorizationServer, "redirect_uri": o.RedirectURI,
	} {
		if address == "" {
			continue
		}
		if err := ValidURL(address); err != nil {
			return Errorf(CodeInvalid, "oauth: %s: %w", name, err)
		}
	}
	return nil
}

// AuthState is how far the person is signed in to a server.
type AuthState string

// The states of a sign-in.
const (
	AuthNone        AuthState = "none" // the server has asked for none
	AuthNeedsSignIn AuthState = "needs_sign_in"
	AuthSignedIn    AuthState = "signed_in"
	AuthSignedOut   AuthState = "signed_out"
)

// Why a sign-in is needed.
const (
	ReasonFirstTime  = "first_time"
	ReasonExpired    = "expired" // or refused: the words say which
	ReasonMoreRights = "more_rights"
	ReasonSignedOut  = "signed_out"
	// ReasonRefused is no matter of OAuth: the token in the settings isn't taken.
	ReasonRefused = "token_refused"
)

// Auth is what is known of the sign-in to a server. It never holds a token.
type Auth struct {
	State AuthState
	// Account is who signed in, where the authorization server says so.
	Account string
	// ExpiresAt is when the access token ends; zero when unknown. Renewable says that
	// it is renewed without a person.
	ExpiresAt time.Time
	Renewable bool
	Scopes    []string
	// StepUp are the scopes that a call was refused for.
	StepUp []string
	// Reason is one of the Reason constants, Message its words.
	Reason, Message string
	// Failed is how the last sign-in by the browser ended that didn't work, until the
	// next begins.
	Failed string
	// Client says in words which client Kontor is at the issuer.
	Client, Issuer string
	// Pending is set while a browser is on its way: until when its answer is taken.
	Pending time.Time
}

// SignInChanged: a server's Auth is another now.
type SignInChanged struct {
	Server string
	Auth   Auth
}

func (SignInChanged) event() {}
