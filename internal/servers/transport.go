package servers

import (
	"net/http"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/streamhttp"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// dialer makes the transport that an expanded configuration asks for.
func (m *Manager) dialer(s model.Server) (wire.Dialer, error) {
	if s.Transport == model.TransportStdio {
		env := make(map[string]string, len(s.Env))
		for name, v := range s.Env {
			env[name] = v.Text
		}
		return stdio.Dialer(stdio.Options{
			Command: s.Command, Args: s.Args, Dir: s.Cwd, Env: stdio.BaseEnv(env), Guard: m.o.Guard,
		}), nil
	}
	// The address is checked before anything is made for it.
	if _, err := endpoint.ValidateURL(s.URL); err != nil {
		return nil, model.Errorf(model.CodeInvalid, "url: %w", err)
	}
	guarded, err := m.o.HTTPClient(s.URL)
	if err != nil {
		return nil, model.Errorf(model.CodeInvalid, "url: %w", err)
	}
	header := make(http.Header, len(s.Headers)+1)
	for name, v := range s.Headers {
		header.Set(name, v.Text)
	}
	if s.BearerToken.Text != "" {
		header.Set("Authorization", "Bearer "+s.BearerToken.Text)
	}
	dial, err := streamhttp.Dialer(endpoint.Options{URL: s.URL, Header: header, Client: guarded})
	if err != nil {
		return nil, model.Errorf(model.CodeInvalid, "%w", err)
	}
	return dial, nil
}
