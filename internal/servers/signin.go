package servers

import (
	"context"
	"reflect"
	"time"

	"kontor.dev/kontor/internal/model"
)

// byNoNeed ends an item that asks for a sign-in that is no longer needed.
const byNoNeed = "Kontor: it is no longer needed"

// Expanded returns a server's configuration with the values of its references, for
// those who sign in to it. What is secret in it is masked wherever it would be shown.
func (m *Manager) Expanded(name string) (model.Server, error) {
	o, err := m.find(name)
	if err != nil {
		return model.Server{}, err
	}
	s, secrets, missing := expandServer(o.view().Config, m.o.Expander)
	o.secrets.add(secrets)
	if missing != nil {
		return model.Server{}, missing
	}
	return s, nil
}

// Expand replaces the references in a configuration, before its server is there.
func (m *Manager) Expand(s model.Server) (model.Server, error) {
	s, _, missing := expandServer(s, m.o.Expander)
	if missing != nil {
		return model.Server{}, missing
	}
	return s, nil
}

// AuthChanged hears that the sign-in to a server is another. It returns at once. What
// the sign-in learns from a connection's requests is told here before they end, so
// the owner hears of it before it hears of them.
func (m *Manager) AuthChanged(server string) {
	if o := m.owner(server); o != nil {
		o.box.put(o.authChanged)
	}
}

// AwaitRights puts the sign-in before the person that a call needs, which was refused
// for want of rights and so didn't run. It returns nil once more are granted.
func (m *Manager) AwaitRights(ctx context.Context, call model.Call) error {
	o, err := m.find(call.Server)
	if err != nil {
		return err
	}
	auth := m.auth(call.Server)
	refused := func(why string) error {
		return model.Errorf(model.CodeInsufficientScope, "the server asks for more rights than were granted: %s", why)
	}
	if len(auth.StepUp) == 0 {
		if auth.Message != "" {
			return refused(auth.Message)
		}
		return refused("it doesn't say which")
	}
	answer, err := m.o.Inbox.Ask(ctx, model.Item{
		Kind: model.ItemSignIn, Server: call.Server, Tool: call.Tool, CallID: call.ID, CallIDs: []string{call.ID},
		SessionID: call.SessionID, Asker: call.Asker, Reason: model.ReasonMoreRights, Scopes: auth.StepUp,
		Message:  "The server wants more rights for this call than it was given.",
		Deadline: time.Now().UTC().Add(o.view().Config.WithDefaults().ElicitationTimeout),
	})
	switch {
	case err != nil:
		return err
	case answer.Action != model.ActionAccept:
		return refused("they weren't granted")
	}
	return nil
}

func (m *Manager) auth(server string) model.Auth {
	if m.o.SignIn == nil {
		return model.Auth{State: model.AuthNone}
	}
	return m.o.SignIn.Status(server)
}

// authChanged takes up where the sign-in stands: who has signed in is connected at
// once, who has signed out no longer is.
func (o *owner) authChanged() {
	auth, before := o.m.auth(o.name), o.view().Status.Auth
	if reflect.DeepEqual(auth, before) {
		return
	}
	o.say(func(v *View) { v.Status.Auth = auth })
	o.m.o.Publish(model.SignInChanged{Server: o.name, Auth: auth})
	conn := o.serving.Load()
	switch {
	case auth.State == model.AuthSignedIn && len(auth.StepUp) == 0:
		if before.State != auth.State || len(before.StepUp) > 0 {
			o.m.o.Inbox.EndSignIns(o.base, o.name, model.ActionAccept, "you")
			o.asked = model.Item{}
			o.wake()
		}
	case auth.State == model.AuthSignedOut && before.State != auth.State && conn != nil:
		o.signInNeeded(conn, model.Errorf(model.CodeNeedsSignIn, "you have signed out"))
	}
	o.reviewSignIn()
}

// why puts what the sign-in knows into the place of the server's bare refusal, and what
// to do about a server that is saved.
func (o *owner) why(e *model.Error) *model.Error {
	if e.Code != model.CodeNeedsSignIn && e.Code != model.CodeInsufficientScope {
		return e
	}
	better := *e
	better.Fix = "Sign in on the server's page."
	if o.view().Config.GivesToken() {
		better.Fix = "Put another token into its settings, or remove it to sign in."
		return &better
	}
	if m := o.m.auth(o.name).Message; m != "" {
		better.Message = m
	}
	return &better
}

// reviewSignIn makes the item in the inbox the one that the state asks for.
func (o *owner) reviewSignIn() {
	v := o.view()
	want, needed := signInItem(v)
	if !needed {
		if o.asked.Server != "" {
			o.asked = model.Item{}
			o.m.o.Inbox.EndSignIns(o.base, o.name, model.ActionCancel, byNoNeed)
		}
		return
	}
	if reflect.DeepEqual(o.asked, want) {
		return
	}
	if o.asked.Server != "" {
		o.m.o.Inbox.EndSignIns(o.base, o.name, model.ActionCancel, byNoNeed)
	}
	o.asked = want
	o.beside(func() {
		// The answer is what becomes of the sign-in; that it can't be stored is said
		// where the server's state is.
		if _, err := o.m.o.Inbox.Ask(o.base, want); err != nil && o.base.Err() == nil {
			o.m.o.Logger.Error("the sign-in that a server needs can't be put into the inbox", "server", o.name, "err", err)
		}
	})
}

// signInItem is what the person is asked for in this state of a server.
func signInItem(v View) (item model.Item, needed bool) {
	if v.Status.State != model.ServerNeedsSignIn {
		return model.Item{}, false
	}
	auth := v.Status.Auth
	item = model.Item{Kind: model.ItemSignIn, Server: v.Config.Name, Reason: auth.Reason, Message: auth.Message, Scopes: auth.Scopes}
	switch {
	case v.Config.GivesToken():
		item.Reason, item.Message = model.ReasonRefused, "The server doesn't take the token in its settings."
	case item.Reason == "":
		item.Reason = model.ReasonFirstTime
	}
	if item.Message == "" && v.Status.LastError != nil {
		item.Message = v.Status.LastError.Message
	}
	return item, true
}
