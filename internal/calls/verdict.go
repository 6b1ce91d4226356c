package calls

import (
	"errors"
	"strings"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// verdict says how a call ended, from the reason why it was stopped, if it was,
// and from what running it returned. An answer that came wins over a stop.
func verdict(stopped, err error) (model.CallState, *model.Error) {
	if err == nil {
		return model.CallDone, nil
	}
	if stopped != nil {
		err = stopped
	}
	var reason *model.Error
	switch {
	case errors.Is(err, client.ErrOutcomeUnknown):
		return model.CallUnknown, outcomeUnknown(err)
	case !errors.As(err, &reason):
		return model.CallFailed, model.Errorf(model.CodeInternal, "the call failed: %w", err)
	case reason.Code == model.CodeCancelled:
		return model.CallCancelled, reason
	case reason.Code == model.CodeRejected:
		return model.CallRejected, reason
	}
	return model.CallFailed, reason
}

func outcomeUnknown(err error) *model.Error {
	const (
		what   = "the connection broke after the call was sent and before its answer came"
		advice = "it may or may not have run. Check before you run it again"
	)
	var reason *model.Error
	if errors.As(err, &reason) && !strings.Contains(what+": "+advice, reason.Message) {
		return model.Errorf(model.CodeOutcomeUnknown, what+" (%w): "+advice, reason)
	}
	return model.Errorf(model.CodeOutcomeUnknown, what+": "+advice)
}

func errDisabled(t model.Tool) error {
	return model.Errorf(model.CodeDisabled, "tool %s of server %s is switched off", t.Name, t.Server)
}

func errDenied(t model.Tool, d model.PolicyDecision) error {
	return model.Errorf(model.CodeDenied, "tool %s of server %s is denied: %s", t.Name, t.Server, d.Reason)
}

// errRejected is read by the person and by the model, which may go on otherwise; that
// nothing was run the state says.
func errRejected(note string) error {
	if note == "" {
		return model.Errorf(model.CodeRejected, "Rejected without a note.")
	}
	return model.Errorf(model.CodeRejected, "Rejected with the note: %s", note)
}

// unavailable says that there is no connection. The codes that tell the person
// what to do stay.
func unavailable(server string, err error) error {
	switch model.CodeOf(err) {
	case model.CodeNeedsSignIn, model.CodeInsufficientScope, model.CodeDisabled, model.CodeNotFound:
		return err
	}
	return model.Errorf(model.CodeServerUnavailable, "server %s is not available: %w", server, err)
}
