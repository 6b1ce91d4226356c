package web

import (
	"context"
	"strings"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/servers"
	"kontor.dev/kontor/internal/web/wire"
)

type nameInput struct {
	Name string `path:"name"`
}

type serverOutput struct{ Body wire.Server }

type serversOutput struct{ Body wire.List[wire.Server] }

type addServerInput struct {
	Verify bool `query:"verify" doc:"Connect first; a server that can't start is refused with 422 and the stages, and nothing is saved"`
	Body   wire.ServerConfig
}

type replaceServerInput struct {
	Name       string `path:"name"`
	Force      bool   `query:"force" doc:"End the connection at once instead of when the new one works"`
	SendStored bool   `query:"send_stored" doc:"Stored secrets that the configuration keeps may go to another scheme, host or port than before"`
	Body       wire.ServerConfig
}

type enableInput struct {
	Name string `path:"name"`
	Body struct {
		Enabled bool `json:"enabled"`
	}
}

type logsInput struct {
	Name string `path:"name"`
	Tail int    `query:"tail" minimum:"1" maximum:"2000" default:"200"`
}

type logsOutput struct{ Body wire.Logs }

func (s *Server) listServers(context.Context, *struct{}) (*serversOutput, error) {
	views := s.o.Servers.List()
	items := make([]wire.Server, len(views))
	for i, v := range views {
		items[i] = wire.ServerOf(v.Config, v.Status)
	}
	return &serversOutput{wire.ListOf(items, "")}, nil
}

func (s *Server) getServer(_ context.Context, in *nameInput) (*serverOutput, error) {
	return viewed(s.o.Servers.Get(in.Name))
}

func (s *Server) addServer(ctx context.Context, in *addServerInput) (*serverOutput, error) {
	server, err := in.Body.Model(model.Server{Name: in.Body.Name})
	if err != nil {
		return nil, err
	}
	if err := server.Validate(); err != nil {
		return nil, err
	}
	if in.Verify {
		if report := s.o.Servers.Verify(ctx, server); !report.Started() {
			return nil, refusedStart(report)
		}
	}
	return viewed(s.o.Servers.Add(ctx, server))
}

func (s *Server) replaceServer(ctx context.Context, in *replaceServerInput) (*serverOutput, error) {
	old, err := s.o.Servers.Get(in.Name)
	if err != nil {
		return nil, err
	}
	server, err := in.Body.Model(old.Config)
	if err != nil {
		return nil, err
	}
	if err := server.Validate(); err != nil {
		return nil, err
	}
	if err := staysHome(in.Body, old.Config, in.SendStored); err != nil {
		return nil, err
	}
	return viewed(s.o.Servers.Update(ctx, server, servers.UpdateOptions{Force: in.Force}))
}

func (s *Server) enableServer(ctx context.Context, in *enableInput) (*serverOutput, error) {
	return viewed(s.o.Servers.SetEnabled(ctx, in.Name, in.Body.Enabled))
}

func (s *Server) deleteServer(ctx context.Context, in *nameInput) (*struct{}, error) {
	return nil, s.o.Servers.Delete(ctx, in.Name)
}

func (s *Server) reconnectServer(_ context.Context, in *nameInput) (*serverOutput, error) {
	return viewed(s.o.Servers.Reconnect(in.Name))
}

func (s *Server) serverLogs(_ context.Context, in *logsInput) (*logsOutput, error) {
	lines, dropped := s.o.Logs.Tail(in.Name, in.Tail)
	if _, err := s.o.Servers.Get(in.Name); err != nil && len(lines) == 0 {
		return nil, err
	}
	return &logsOutput{wire.LogsOf(lines, dropped)}, nil
}

// staysHome refuses a configuration that takes stored secrets to another host unsaid:
// whoever changes an address doesn't see that they go along.
func staysHome(config wire.ServerConfig, old model.Server, send bool) error {
	moved := config.MovedSecrets(old)
	if send || len(moved) == 0 {
		return nil
	}
	p := wire.NewProblem(wire.CodeSecretsMove, "what is stored for another address would be sent to the new one: "+strings.Join(moved, ", ")+
		". Write the values anew, clear them, or say that they may go there (send_stored=true)")
	for _, name := range moved {
		p.Errors = append(p.Errors, wire.FieldError{Location: "body." + name, Message: "it is stored for another address"})
	}
	return p
}

func viewed(v servers.View, err error) (*serverOutput, error) {
	if err != nil {
		return nil, err
	}
	return &serverOutput{wire.ServerOf(v.Config, v.Status)}, nil
}
