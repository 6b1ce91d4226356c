package wire

import (
	"slices"

	"kontor.dev/kontor/internal/model"
)

// OAuth is how to sign in to a server, both ways; secrets are masked on reads. What is
// left out is found out.
type OAuth struct {
	Grant string `json:"grant,omitempty" enum:",authorization_code,client_credentials,enterprise,workload_identity" doc:"Empty for authorization_code: a person signs in"`

	ClientID                string `json:"client_id,omitempty"`
	ClientSecret            Value  `json:"client_secret,omitzero"`
	ClientMetadataURL       string `json:"client_metadata_url,omitempty" doc:"A client id that is the address of a client metadata document"`
	TokenEndpointAuthMethod string `json:"token_endpoint_auth_method,omitempty" enum:",none,client_secret_basic,client_secret_post,private_key_jwt"`
	PrivateKey              Value  `json:"private_key,omitzero" doc:"PEM (PKCS #8) or JWK, for ES256"`
	KeyID                   string `json:"key_id,omitempty"`
	Assertion               Value  `json:"assertion,omitzero" doc:"The JWT of workload_identity"`

	IDPTokenEndpoint string `json:"idp_token_endpoint,omitempty" doc:"The company's identity provider, for enterprise"`
	IDPClientID      string `json:"idp_client_id,omitempty"`
	IDPClientSecret  Value  `json:"idp_client_secret,omitzero"`
	IDPIDToken       Value  `json:"idp_id_token,omitzero"`

	DPoP                bool     `json:"dpop,omitempty" doc:"Bind the tokens to a key (RFC 9449)"`
	Scopes              []string `json:"scopes,omitempty" doc:"Asked for instead of those that the server names"`
	AuthorizationServer string   `json:"authorization_server,omitempty" doc:"The issuer to use where the server names several"`
	RedirectURI         string   `json:"redirect_uri,omitempty" doc:"In place of <base URL>/oauth/callback"`
	AllowWithoutS256    bool     `json:"allow_without_s256,omitempty" doc:"Go on where the authorization server doesn't say which PKCE methods it has"`
}

// Model is what is stored, given what is stored now: a secret that is left out or
// sent as {set: true} is kept, null clears it. Without settings all is kept.
func (o *OAuth) Model(old model.OAuth) model.OAuth {
	if o == nil {
		return old
	}
	m := model.OAuth{
		Grant: model.OAuthGrant(o.Grant), ClientID: o.ClientID, ClientMetadataURL: o.ClientMetadataURL,
		TokenEndpointAuthMethod: o.TokenEndpointAuthMethod, KeyID: o.KeyID,
		IDPTokenEndpoint: o.IDPTokenEndpoint, IDPClientID: o.IDPClientID,
		DPoP: o.DPoP, Scopes: o.Scopes, AuthorizationServer: o.AuthorizationServer,
		RedirectURI: o.RedirectURI, AllowWithoutS256: o.AllowWithoutS256,
	}
	kept, sent := old.Secrets(), o.secrets()
	for name, v := range m.Secrets() {
		*v = sent[name].stored(*kept[name])
	}
	return m
}

func (o *OAuth) secrets() map[string]*Value {
	return map[string]*Value{
		"client_secret": &o.ClientSecret, "private_key": &o.PrivateKey, "assertion": &o.Assertion,
		"idp_client_secret": &o.IDPClientSecret, "idp_id_token": &o.IDPIDToken,
	}
}

func oauthOf(m model.OAuth) OAuth {
	o := OAuth{
		Grant: string(m.Grant), ClientID: m.ClientID, ClientMetadataURL: m.ClientMetadataURL,
		TokenEndpointAuthMethod: m.TokenEndpointAuthMethod, KeyID: m.KeyID,
		IDPTokenEndpoint: m.IDPTokenEndpoint, IDPClientID: m.IDPClientID,
		DPoP: m.DPoP, Scopes: m.Scopes, AuthorizationServer: m.AuthorizationServer,
		RedirectURI: m.RedirectURI, AllowWithoutS256: m.AllowWithoutS256,
	}
	stored := m.Secrets()
	for name, v := range o.secrets() {
		if s := stored[name]; s.Text != "" || s.Unreadable {
			*v = ValueOf(*s)
		}
	}
	return o
}

// Auth is how far the person is signed in to a server. It never holds a token.
type Auth struct {
	State        model.AuthState   `json:"state" enum:"none,needs_sign_in,signed_in,signed_out"`
	Account      string            `json:"account" doc:"Who signed in, where the authorization server says so"`
	ExpiresAt    *Time             `json:"expires_at" nullable:"true" doc:"When the access token ends"`
	Renewable    bool              `json:"renewable" doc:"It is renewed without a person"`
	Scopes       []string          `json:"scopes"`
	StepUp       []string          `json:"step_up" doc:"The scopes that a call was refused for"`
	ScopeWords   map[string]string `json:"scope_words" doc:"What the scopes allow, in words that go on after “is allowed to”. One without words is the server's own term"`
	Reason       string            `json:"reason" enum:",first_time,expired,more_rights,signed_out,token_refused" doc:"Why a sign-in is needed"`
	Message      string            `json:"message" doc:"The same in words"`
	Failed       string            `json:"failed" doc:"How the last sign-in by the browser ended that didn't work, until the next begins"`
	Client       string            `json:"client" doc:"Which client Kontor is at the issuer, in words"`
	Issuer       string            `json:"issuer"`
	PendingUntil *Time             `json:"pending_until" nullable:"true" doc:"Set while a browser is on its way: until when its answer is taken"`
}

func authOf(a model.Auth) Auth {
	state := a.State
	if state == "" {
		state = model.AuthNone
	}
	return Auth{
		State: state, Account: a.Account, ExpiresAt: When(a.ExpiresAt), Renewable: a.Renewable,
		Scopes: list(a.Scopes), StepUp: list(a.StepUp), Reason: a.Reason, Message: a.Message,
		ScopeWords: model.ScopesInWords(a.Issuer, slices.Concat(a.Scopes, a.StepUp)...), Failed: a.Failed,
		Client: a.Client, Issuer: a.Issuer, PendingUntil: When(a.Pending),
	}
}

// StartSignIn asks for an address to sign in at.
type StartSignIn struct {
	Issuer string `json:"issuer,omitempty" doc:"The person's choice, where the server names several"`
}

// SignIn is a sign-in that waits for the browser.
type SignIn struct {
	AuthorizationURL string            `json:"authorization_url"`
	State            string            `json:"state"`
	ExpiresAt        Time              `json:"expires_at"`
	Host             string            `json:"host" doc:"Whose page it is, for the person's eyes"`
	Issuer           string            `json:"issuer"`
	Scopes           []string          `json:"scopes"`
	ScopeWords       map[string]string `json:"scope_words" doc:"As in Auth"`
	RedirectURI      string            `json:"redirect_uri"`
}

// PastedAnswer is the address that the authorization server sent the browser to.
type PastedAnswer struct {
	URL string `json:"url"`
}

// SignInChangedEvent tells that the sign-in to a server is another.
type SignInChangedEvent struct {
	Head
	Type   string `json:"type" enum:"sign_in_changed"`
	Server string `json:"server"`
	Auth   Auth   `json:"auth"`
}
