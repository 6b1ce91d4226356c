package servers

import (
	"context"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// Verify tries a configuration without saving it: it connects, lists and
// closes. Needing a sign-in counts as started. The error is that of the stage
// that failed.
func (m *Manager) Verify(ctx context.Context, s model.Server) ([]Stage, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	ctx, cancel := within(ctx, s.WithDefaults().StartTimeout)
	defer cancel()
	const owner = "trying a server: "
	p := opening{
		m: m, config: s,
		learn: func(secrets []string) { m.o.Redactor.Set(owner+s.Name, secrets) },
		handlers: client.Handlers{Elicit: func(context.Context, client.Question) (client.Answer, error) {
			return client.Answer{Action: string(model.ActionCancel)}, nil
		}},
	}
	defer m.o.Redactor.Set(owner+s.Name, nil)
	out := p.run(ctx)
	if out.conn != nil {
		_ = out.conn.client.Close() // it worked; how it ends says nothing more
	}
	if out.err != nil && out.err.Code != model.CodeNeedsSignIn {
		return p.stages, out.err
	}
	return p.stages, nil
}
