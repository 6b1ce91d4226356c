package policy

import (
	"testing"

	"kontor.dev/kontor/internal/model"
)

// There is no way in past the person but the person's own: a kind of asker that
// nobody has thought of yet is asked about too.
func TestWhoeverIsntThePersonIsAskedAbout(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]model.PolicyAction{
		"person": model.PolicyAllow, "token": model.PolicyAllow,
		"agent": model.PolicyAsk, "subagent": model.PolicyAsk, "gateway": model.PolicyAsk, "trigger": model.PolicyAsk,
		"schedule": model.PolicyAsk, "app": model.PolicyAsk, "": model.PolicyAsk, "Person": model.PolicyAsk,
	} {
		got := decide(newSet(nil, nil), model.PolicySubject{Tool: model.Tool{Server: "s", Name: "run"}, Asker: model.Asker{Kind: kind}},
			func() *model.SessionGrant { return nil })
		if got.Action != want {
			t.Errorf("%q: it is %s, want %s", kind, got.Action, want)
		}
	}
}
