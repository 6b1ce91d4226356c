package configtools

import (
	"context"
	"encoding/json"
	"fmt"
	"path"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/secret"
)

// secretForm has the one field that the person fills in. Being a password, it is
// masked, and kept nowhere but sealed. A name that fits needs no escaping.
const secretForm = `{"type":"object","properties":{"value":{"type":"string","title":"Secret %s","format":"password","minLength":1}},"required":["value"]}`

// setSecret has the person type a secret. The value goes from their answer to the
// store; neither the model nor the call's record has it.
func (c *Tools) setSecret(ctx context.Context, call model.Call) (model.Result, error) {
	in, err := read[struct{ Name string }](call)
	if err != nil {
		return model.Result{}, err
	}
	if err := secret.ValidName(in.Name); err != nil {
		return model.Result{}, err
	}
	asking, _, end := c.o.Questions.Begin(ctx, []string{call.ID})
	defer end()
	answer, err := c.o.Inbox.Ask(asking, model.Item{
		Kind: model.ItemElicitation, Mode: model.ElicitForm, CallID: call.ID, CallIDs: []string{call.ID}, Tool: setSecret,
		SessionID: call.SessionID, Asker: call.Asker, Schema: json.RawMessage(fmt.Sprintf(secretForm, in.Name)),
		Message: "The value of the secret " + in.Name + ". It is kept sealed in Kontor; no model sees it. Servers get it where their settings say ${" + in.Name + "}.",
	})
	if err != nil {
		return model.Result{}, err
	}
	if answer.Action != model.ActionAccept {
		return text("The person gave no value: the secret %s is as it was.", in.Name), nil
	}
	var content struct {
		Value string `json:"value"`
	}
	if err := json.Unmarshal(answer.Content, &content); err != nil || content.Value == "" {
		return model.Result{}, model.Errorf(model.CodeInvalid, "the answer has no value")
	}
	if err := c.o.Secrets.PutSecret(ctx, in.Name, content.Value); err != nil {
		return model.Result{}, err
	}
	c.o.SecretsChanged()
	return text("The person has set the secret %s.", in.Name), nil
}

func (c *Tools) listSecrets(ctx context.Context, call model.Call) (model.Result, error) {
	in, err := read[struct{ Pattern string }](call)
	if err != nil {
		return model.Result{}, err
	}
	all, err := c.o.Secrets.SecretNames(ctx)
	if err != nil {
		return model.Result{}, err
	}
	names := []string{}
	for _, n := range all {
		if ok, err := path.Match(in.Pattern, n); in.Pattern == "" || ok && err == nil {
			names = append(names, n)
		}
	}
	return structured(map[string]any{"secrets": names})
}
