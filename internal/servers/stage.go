package servers

import (
	"net/netip"
	"net/url"
	"slices"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Stage is one step of trying a configuration.
type Stage struct {
	Name     string // one of the Stage constants
	OK       bool
	Duration time.Duration
	// Code and Message say what went wrong, or what is worth knowing of a stage that
	// went well. Evidence is what was seen: the last lines of stderr, the beginning of
	// an answer's body, the PATH. Fix is the likely remedy. All are redacted.
	Code                   model.Code
	Message, Evidence, Fix string
}

// The stages of trying a configuration, in their order.
const (
	StageParse     = "parse"
	StageVariables = "variables"
	StageDNS       = "dns"
	StageTCP       = "tcp"
	StageTLS       = "tls"
	StageSpawn     = "spawn"
	StageEra       = "era"
	StageAuth      = "authorization"
	StageHandshake = "handshake"
	StageLists     = "lists"
	StageStream    = "stream"
)

// CodeNotReached is the code of a stage behind the one that failed.
const CodeNotReached model.Code = "not_reached"

// Report is how far a configuration came.
type Report struct {
	Stages []Stage
	// Err is that of the stage that failed; nil when all went well.
	Err *model.Error
}

// OK tells whether all stages went well.
func (r Report) OK() bool { return r.Err == nil }

// Started tells whether the server can be kept: it works, or needs nothing but a
// sign-in.
func (r Report) Started() bool { return r.Err == nil || r.Err.Code == model.CodeNeedsSignIn }

// stagesOf are the stages that a configuration goes through.
func stagesOf(s model.Server) []string {
	if s.Transport == model.TransportStdio {
		return []string{StageParse, StageVariables, StageSpawn, StageEra, StageHandshake, StageLists}
	}
	all := []string{StageParse, StageVariables, StageDNS, StageTCP, StageTLS, StageEra, StageAuth, StageHandshake, StageLists, StageStream}
	u, err := url.Parse(s.URL)
	if err != nil {
		return all
	}
	return slices.DeleteFunc(all, func(stage string) bool {
		_, notName := netip.ParseAddr(u.Hostname())
		return stage == StageDNS && notName == nil || stage == StageTLS && u.Scheme == "http"
	})
}
