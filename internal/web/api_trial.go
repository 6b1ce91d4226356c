package web

import (
	"context"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/servers"
	"kontor.dev/kontor/internal/web/wire"
)

type trialInput struct {
	SendStored bool `query:"send_stored" doc:"As in replace-server"`
	Body       wire.ServerConfig
}

type trialOutput struct{ Body wire.Trial }

// testServer tries a configuration. Under the name of a stored server, secrets that
// are left out or sent as {set: true} are that one's.
func (s *Server) testServer(ctx context.Context, in *trialInput) (*trialOutput, error) {
	old, err := s.o.Servers.Get(in.Body.Name)
	if err != nil {
		old.Config = model.Server{Name: in.Body.Name}
	}
	if err := staysHome(in.Body, old.Config, in.SendStored); err != nil {
		return nil, err
	}
	config, err := in.Body.Model(old.Config)
	if err != nil {
		// What it isn't can't be told: it fails at the first stage of either kind.
		config = model.Server{Name: in.Body.Name, Transport: model.Transport(in.Body.Transport)}
	}
	return &trialOutput{trialOf(s.o.Servers.Test(ctx, config))}, nil
}

func trialOf(r servers.Report) wire.Trial {
	t := wire.Trial{OK: r.OK(), Stages: make([]wire.Stage, len(r.Stages))}
	for i, st := range r.Stages {
		t.Stages[i] = wire.Stage{
			Stage: st.Name, OK: st.OK, MS: st.Duration.Milliseconds(),
			Code: st.Code, Message: st.Message, Evidence: st.Evidence, Fix: st.Fix,
		}
	}
	return t
}

// refusedStart is 422 whatever the stage's own code, so that it can't be taken
// for an answer about Kontor itself.
func refusedStart(r servers.Report) error {
	p := wire.NewProblem(model.CodeInvalid, r.Err.Message)
	p.Stages = trialOf(r).Stages
	return p
}
