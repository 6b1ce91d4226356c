package web

import (
	"context"

	"kontor.dev/kontor/internal/web/wire"
)

type nameInput struct {
	Name string `path:"name"`
}

type serverOutput struct{ Body wire.Server }

type serversOutput struct{ Body wire.List[wire.Server] }

type serverInput struct {
	Body wire.ServerConfig
}

type namedServerInput struct {
	Name string `path:"name"`
	Body wire.ServerConfig
}

type enableInput struct {
	Name string `path:"name"`
	Body struct {
		Enabled bool `json:"enabled"`
	}
}

type logsInput struct {
	Name string `path:"name"`
	Tail int    `query:"tail" minimum:"1" maximum:"5000" default:"200"`
}

type logsOutput struct{ Body wire.List[wire.LogEntry] }

func (s *Server) listServers(context.Context, *struct{}) (*serversOutput, error) { return nil, nil }
func (s *Server) addServer(context.Context, *serverInput) (*serverOutput, error) { return nil, nil }
func (s *Server) getServer(context.Context, *nameInput) (*serverOutput, error)   { return nil, nil }
func (s *Server) replaceServer(context.Context, *namedServerInput) (*serverOutput, error) {
	return nil, nil
}
func (s *Server) enableServer(context.Context, *enableInput) (*serverOutput, error)  { return nil, nil }
func (s *Server) deleteServer(context.Context, *nameInput) (*struct{}, error)        { return nil, nil }
func (s *Server) reconnectServer(context.Context, *nameInput) (*serverOutput, error) { return nil, nil }
func (s *Server) serverLogs(context.Context, *logsInput) (*logsOutput, error)        { return nil, nil }
