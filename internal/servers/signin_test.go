package servers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// desk is an inbox and a sign-in at once: what it is told to be signed in as, and the
// items that wait.
type desk struct {
	mu      sync.Mutex
	auth    model.Auth
	waiting map[string]chan model.Answer
	history []string
}

func (d *desk) Status(string) model.Auth {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.auth
}

func (d *desk) set(a model.Auth) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.auth = a
}

func (d *desk) Forget(_ context.Context, server string) error {
	d.note("forget " + server)
	return nil
}

func (d *desk) Complete(context.Context, string, string) {}

func (d *desk) Ask(ctx context.Context, item model.Item) (model.Answer, error) {
	answer := make(chan model.Answer, 1)
	d.mu.Lock()
	d.waiting[item.Server] = answer
	d.history = append(d.history, fmt.Sprintf("ask %s %s %s", item.Kind, item.Reason, item.Tool))
	d.mu.Unlock()
	select {
	case a := <-answer:
		return a, nil
	case <-ctx.Done():
		return model.Answer{}, context.Cause(ctx)
	}
}

func (d *desk) EndSignIns(_ context.Context, server string, a model.Action, by string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if answer := d.waiting[server]; answer != nil {
		answer <- model.Answer{Action: a}
		delete(d.waiting, server)
		d.history = append(d.history, fmt.Sprintf("%s by %s", a, by))
	}
}

func (d *desk) note(what string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.history = append(d.history, what)
}

func (d *desk) did() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.history)
}

// signingIn is a rig whose server docs lets in only who is signed in.
func signingIn(t *testing.T) (*rig, *desk) {
	t.Helper()
	d := &desk{waiting: map[string]chan model.Answer{}, auth: model.Auth{State: model.AuthNone}}
	told := make(chan *rig, 1)
	r := newRigWith(t, func(o *Options) {
		o.Inbox, o.SignIn = d, d
		o.HTTPClient = func(model.Server) (*http.Client, error) { return http.DefaultClient, nil }
		o.Connect = func(context.Context, model.Server, client.Options) (Client, error) {
			if d.Status("docs").State != model.AuthSignedIn {
				if d.Status("docs").State == model.AuthNone {
					d.set(model.Auth{State: model.AuthNeedsSignIn, Reason: model.ReasonFirstTime, Message: "as.example asks who you are"})
					r := <-told
					r.AuthChanged("docs")
				}
				return nil, model.Errorf(model.CodeNeedsSignIn, "the server asks for a sign-in (HTTP 401)")
			}
			return newFakeClient(), nil
		}
	}, remote("docs", "https://docs.example/mcp"))
	told <- r
	return r, d
}

func inState(want model.ServerState) func(model.Status) bool {
	return func(s model.Status) bool { return s.State == want }
}

func (d *desk) wantHistory(t *testing.T, want ...string) {
	t.Helper()
	eventuallyTrue(t, func() bool { return slices.Equal(d.did(), want) }, func() string { return fmt.Sprintf("did %q, want %q", d.did(), want) })
}

func eventuallyTrue(t *testing.T, ok func() bool, what func() string) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what())
		}
	}
}

func TestSigningInConnectsAndEndsTheItem(t *testing.T) {
	t.Parallel()
	r, d := signingIn(t)
	status := r.eventually(t, "docs", "needs a sign-in", inState(model.ServerNeedsSignIn))
	if status.LastError.Message != "as.example asks who you are" || status.LastError.Fix != "Sign in on the server's page." || status.Auth.State != model.AuthNeedsSignIn || !status.NextAttemptAt.IsZero() {
		t.Errorf("status %+v", status)
	}
	d.wantHistory(t, "ask sign_in first_time ")

	r.AuthChanged("docs") // nothing new
	d.set(model.Auth{State: model.AuthSignedIn, Account: "ada"})
	r.AuthChanged("docs")
	r.eventually(t, "docs", "is ready", inState(model.ServerReady))
	d.wantHistory(t, "ask sign_in first_time ", "accept by you")

	d.set(model.Auth{State: model.AuthSignedOut, Reason: model.ReasonSignedOut, Message: "you have signed out"})
	r.AuthChanged("docs")
	r.eventually(t, "docs", "needs a sign-in again", inState(model.ServerNeedsSignIn))
	d.wantHistory(t, "ask sign_in first_time ", "accept by you", "ask sign_in signed_out ")

	if _, err := r.SetEnabled(t.Context(), "docs", false); err != nil {
		t.Fatal(err)
	}
	d.wantHistory(t, "ask sign_in first_time ", "accept by you", "ask sign_in signed_out ", "cancel by "+byNoNeed)
	if err := r.Delete(t.Context(), "docs"); err != nil || !slices.Contains(d.did(), "forget docs") {
		t.Errorf("delete: %v, %q", err, d.did())
	}
}

func TestACallThatNeedsMoreRightsWaitsForThem(t *testing.T) {
	t.Parallel()
	r, d := signingIn(t)
	r.eventually(t, "docs", "needs a sign-in", inState(model.ServerNeedsSignIn))
	d.set(model.Auth{State: model.AuthSignedIn})
	r.AuthChanged("docs")
	r.eventually(t, "docs", "is ready", inState(model.ServerReady))

	call := model.Call{ID: "c1", Server: "docs", Tool: "write"}
	if err := r.AwaitRights(t.Context(), call); model.CodeOf(err) != model.CodeInsufficientScope {
		t.Errorf("without a step-up: %v", err)
	}
	for _, a := range []struct {
		end  func()
		want model.Code
	}{
		{func() {
			d.set(model.Auth{State: model.AuthSignedIn, Scopes: []string{"read", "write"}})
			r.AuthChanged("docs")
		}, ""},
		{func() { d.EndSignIns(t.Context(), "docs", model.ActionCancel, "you") }, model.CodeInsufficientScope},
	} {
		d.set(model.Auth{State: model.AuthSignedIn, StepUp: []string{"read", "write"}})
		r.AuthChanged("docs")
		asked := len(d.did())
		done := make(chan error, 1)
		go func() { done <- r.AwaitRights(t.Context(), call) }()
		eventuallyTrue(t, func() bool { return len(d.did()) > asked }, func() string { return "nobody was asked" })
		if got := d.did()[asked]; got != "ask sign_in more_rights write" {
			t.Errorf("asked %q", got)
		}
		r.eventually(t, "docs", "stays ready", inState(model.ServerReady))
		a.end()
		if err := <-done; (err == nil) != (a.want == "") || err != nil && model.CodeOf(err) != a.want {
			t.Errorf("got %v, want %q", err, a.want)
		}
	}
}

func TestWhatTheSignInItemSays(t *testing.T) {
	t.Parallel()
	failed := &model.Error{Code: model.CodeNeedsSignIn, Message: "HTTP 401"}
	for name, c := range map[string]struct {
		view            View
		needed          bool
		reason, message string
	}{
		"ready":     {View{Status: model.Status{State: model.ServerReady, Auth: model.Auth{StepUp: []string{"a"}}}}, false, "", ""},
		"unknown":   {View{Status: model.Status{State: model.ServerNeedsSignIn, LastError: failed}}, true, model.ReasonFirstTime, "HTTP 401"},
		"expired":   {View{Status: model.Status{State: model.ServerNeedsSignIn, Auth: model.Auth{Reason: model.ReasonExpired, Message: "it ended"}}}, true, model.ReasonExpired, "it ended"},
		"own token": {View{Config: model.Server{BearerToken: model.Value{Text: "x"}}, Status: model.Status{State: model.ServerNeedsSignIn, LastError: failed}}, true, model.ReasonRefused, "The server doesn't take the token in its settings."},
		"own header": {View{Config: model.Server{Headers: map[string]model.Value{"authorization": {Text: "x"}}}, Status: model.Status{State: model.ServerNeedsSignIn}},
			true, model.ReasonRefused, "The server doesn't take the token in its settings."},
	} {
		item, needed := signInItem(c.view)
		if needed != c.needed || item.Reason != c.reason || item.Message != c.message {
			t.Errorf("%s: %v %q %q", name, needed, item.Reason, item.Message)
		}
	}
}
