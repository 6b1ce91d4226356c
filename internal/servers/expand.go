package servers

import (
	"maps"
	"slices"

	"kontor.dev/kontor/internal/model"
)

// codeUnreadable is a stored secret that the key doesn't open.
const codeUnreadable model.Code = "secret_unreadable"

// expander replaces the references in one configuration and collects what is
// secret in it.
type expander struct {
	expand  Expander
	secrets []string
	err     *model.Error
}

// expandServer returns the configuration with the values of its `${VAR}`
// references, and every secret value in it. It is done right before dialling
// and kept nowhere.
func expandServer(s model.Server, expand Expander) (model.Server, []string, *model.Error) {
	e := expander{expand: expand}
	s.Command = e.text("command", s.Command)
	s.Cwd = e.text("cwd", s.Cwd)
	s.URL = e.text("url", s.URL)
	s.Args = slices.Clone(s.Args)
	for i := range s.Args {
		s.Args[i] = e.text("args", s.Args[i])
	}
	s.Env = e.values("env ", s.Env)
	s.Headers = e.values("header ", s.Headers)
	s.BearerToken = e.value("bearer_token", s.BearerToken)
	s.OAuth = e.oauth(s.OAuth)
	return s, e.secrets, e.err
}

func (e *expander) values(where string, values map[string]model.Value) map[string]model.Value {
	out := maps.Clone(values)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out[name] = e.value(where+name, values[name])
	}
	return out
}

func (e *expander) value(where string, v model.Value) model.Value {
	if v.Unreadable {
		e.fail(codeUnreadable, "%s can't be read with this key: type it anew", where)
		return v
	}
	text := e.text(where, v.Text)
	if v.Secret() {
		e.secrets = append(e.secrets, text)
	}
	v.Text = text
	return v
}

func (e *expander) oauth(o model.OAuth) model.OAuth {
	for name, text := range map[string]*string{
		"client_id": &o.ClientID, "client_metadata_url": &o.ClientMetadataURL, "key_id": &o.KeyID,
		"idp_token_endpoint": &o.IDPTokenEndpoint, "idp_client_id": &o.IDPClientID,
		"authorization_server": &o.AuthorizationServer, "redirect_uri": &o.RedirectURI,
	} {
		*text = e.text("oauth "+name, *text)
	}
	for name, v := range o.Secrets() {
		*v = e.value("oauth "+name, *v)
	}
	return o
}

// text expands one setting. The values of variables are secrets, wherever they
// come in.
func (e *expander) text(where, text string) string {
	value, used, err := e.expand.Expand(text)
	if err != nil {
		e.fail(model.CodeOf(err), "%s: %w", where, err)
		return ""
	}
	e.secrets = append(e.secrets, used...)
	return value
}

// fail keeps the first error.
func (e *expander) fail(code model.Code, format string, args ...any) {
	if e.err == nil {
		e.err = model.Errorf(code, format, args...)
	}
}
