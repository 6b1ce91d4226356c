package servers

import (
	"net/http"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/legacysse"
	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/streamhttp"
	"kontor.dev/kontor/internal/model"
)

// dialers puts the transports that an expanded configuration asks for into o.
func (m *Manager) dialers(s model.Server, o *client.Options) (err error) {
	s = s.WithDefaults()
	if s.Transport == model.TransportStdio {
		env := make(map[string]string, len(s.Env))
		for name, v := range s.Env {
			env[name] = v.Text
		}
		o.Dial = stdio.Dialer(stdio.Options{
			Command: s.Command, Args: s.Args, Dir: s.Cwd, Env: stdio.BaseEnv(env), MaxLine: s.MaxMessage, Guard: m.o.Guard,
		})
		return nil
	}
	at, err := m.endpoint(s)
	if err != nil {
		return err
	}
	if o.Dial, err = streamhttp.Dialer(at); err != nil {
		return model.Errorf(model.CodeInvalid, "%w", err)
	}
	if o.DialSSE, err = legacysse.Dialer(at); err != nil {
		return model.Errorf(model.CodeInvalid, "%w", err)
	}
	return nil
}

// endpoint is where an http server lives, and what goes with each request to it.
func (m *Manager) endpoint(s model.Server) (endpoint.Options, error) {
	// The address is checked before anything is made for it.
	if _, err := endpoint.ValidateURL(s.URL); err != nil {
		return endpoint.Options{}, model.Errorf(model.CodeInvalid, "url: %w", err)
	}
	guarded, err := m.o.HTTPClient(s)
	if err != nil {
		return endpoint.Options{}, model.Errorf(model.CodeInvalid, "url: %w", err)
	}
	header := make(http.Header, len(s.Headers)+1)
	for name, v := range s.Headers {
		header.Set(name, v.Text)
	}
	if s.BearerToken.Text != "" {
		header.Set("Authorization", "Bearer "+s.BearerToken.Text)
	}
	return endpoint.Options{URL: s.URL, Header: header, Client: guarded, MaxMessage: s.MaxMessage, Idle: s.SSEIdleTimeout}, nil
}
