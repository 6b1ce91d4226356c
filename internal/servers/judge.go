package servers

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/netguard"
)

// report is the trial's outcome. at is the step that failed with err; both are
// empty when all went well so far.
func (t *trial) report(at string, err error) Report {
	s := t.watch.look()
	took := time.Since(t.watch.start)
	r := Report{}
	failed := ""
	switch {
	case err != nil:
		failed = where(at, err, s, t.config.Transport)
		r.Err = redacted(verdictOn(err, s, t.config), t.m.o.Redactor.Redact)
	case s.streamFailed && slices.Contains(t.stages, StageStream):
		failed = StageStream
		r.Err = say(codeStreamFailed, "%s", s.stream)
		r.Err.Fix = fixOf(codeStreamFailed, facts{})
	}
	if failed != "" && !slices.Contains(t.stages, failed) {
		failed = StageEra
	}
	r.Stages = lineUp(t.stages, failed, s, took)
	for i := range r.Stages {
		st := &r.Stages[i]
		if st.Name == failed {
			st.Code, st.Message, st.Fix = r.Err.Code, r.Err.Message, r.Err.Fix
			st.Evidence = clip(t.m.o.Redactor.Redact(evidence(err, s, st.Code)), maxWords)
		}
		st.Message = t.m.o.Redactor.Redact(st.Message)
	}
	return r
}

// lineUp puts the stages in a row, up to the one that failed.
func lineUp(names []string, failed string, s seen, took time.Duration) []Stage {
	stages := make([]Stage, len(names))
	reached, before := true, time.Duration(0)
	for i, name := range names {
		st := Stage{Name: name, OK: reached && name != failed, Message: s.details[name]}
		end, passed := s.passed[name]
		switch {
		case !reached:
			st.Code, st.Message = CodeNotReached, "not reached"
		case name == failed:
			st.Duration = max(0, took-before)
			reached = false
		case passed:
			st.Duration = max(0, end-before)
			before = max(before, end)
		case name == StageEra:
			st.Message = "it answers; the era shows after that"
		}
		if st.OK && name == StageEra && s.sse {
			st.Code, st.Fix = codeOnlySSE, fixOf(codeOnlySSE, facts{})
		}
		stages[i] = st
	}
	return stages
}

// where is the stage that an error belongs to.
func where(at string, err error, s seen, transport model.Transport) string {
	switch step(at) {
	case stepConnect:
	case stepLists:
		return StageLists
	default:
		return at // parse and variables
	}
	if transport == model.TransportStdio {
		return whereStdio(err, s)
	}
	return whereHTTP(err, s)
}

func whereStdio(err error, s seen) string {
	var exit *stdio.ExitError
	_, spawned := s.passed[StageSpawn]
	switch {
	case !spawned, errors.As(err, &exit) && !s.answered:
		return StageSpawn
	case !s.answered:
		return StageEra
	}
	return StageHandshake
}

func whereHTTP(err error, s seen) string {
	var status *wire.HTTPError
	var dns *net.DNSError
	var guarded *netguard.RefusedError
	var op *net.OpError
	known := errors.As(err, &status)
	switch {
	case known && (status.Status == http.StatusUnauthorized || status.Status == http.StatusForbidden):
		return StageAuth
	case known && s.answered:
		return StageHandshake
	case known:
		return StageEra
	case isTLS(err):
		return StageTLS
	case errors.As(err, &guarded):
		return StageTCP
	case errors.As(err, &dns):
		return StageDNS
	case errors.As(err, &op) && op.Op == "dial":
		return StageTCP
	}
	for _, stage := range []string{StageDNS, StageTCP, StageTLS} {
		if _, passed := s.passed[stage]; s.begun[stage] && !passed {
			return stage
		}
	}
	if s.answered {
		return StageHandshake
	}
	return StageEra
}

// isTLS tells failures of TLS itself. Alerts come as net.OpError.
func isTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var authority x509.UnknownAuthorityError
	var op *net.OpError
	return errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &authority) || errors.Is(err, http.ErrSchemeMismatch) ||
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error")
}

// verdictOn is the error in words, with what else was seen taken into account.
func verdictOn(err error, s seen, config model.Server) *model.Error {
	e := *explain(err)
	f := factsOf(err)
	f.path, f.found = s.path, s.found
	silent := e.Code == model.CodeTimeout && config.Transport == model.TransportStdio && !s.answered
	var exit *stdio.ExitError
	switch {
	case silent && servesHTTP.MatchString(strings.Join(append(s.stderr, s.noise...), "\n")):
		e.Code, e.Message = codeServesHTTP, "it does not answer on its standard output, and says that it listens at an address"
	case silent && len(s.noise) > 0:
		e.Code, e.Message = codeStdoutNoise, "it writes to its standard output what is no MCP, and does not answer"
	case errors.As(err, &exit):
		e.Message = clip(exit.Error(), maxWords) // its last lines are the evidence
	}
	e.Fix = fixOf(e.Code, f)
	return &e
}

// evidence is what was seen of a server that failed. It may hold secrets.
func evidence(err error, s seen, code model.Code) string {
	var lines []string
	var exit *stdio.ExitError
	var status *wire.HTTPError
	switch {
	case errors.As(err, &exit):
		lines = append(lines, exit.StderrTail...)
	case errors.As(err, &status):
		lines = append(lines, fmt.Sprintf("HTTP %d %s, %s", status.Status, http.StatusText(status.Status), first(status.ContentType, "no content type")))
		if body := strings.TrimSpace(strings.ToValidUTF8(string(status.Body), "\uFFFD")); body != "" {
			lines = append(lines, clip(body, 1<<10))
		}
	default:
		lines = append(lines, s.stderr...)
	}
	for _, l := range s.noise {
		lines = append(lines, "stdout: "+l)
	}
	if s.path != "" && dependsOnPath(code, exit) {
		lines = append(lines, "PATH: "+s.path)
	}
	return strings.Join(lines, "\n")
}

// dependsOnPath tells failures that another PATH may cure. A shell exits with 127 for
// a command that it doesn't find.
func dependsOnPath(code model.Code, exit *stdio.ExitError) bool {
	switch code {
	case codeCommandNotFound, codeNoInterpreter, codeNeedsNode, codeNeedsPackage:
		return true
	}
	return exit != nil && exit.ExitCode == 127
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
