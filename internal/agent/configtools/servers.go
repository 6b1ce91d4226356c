package configtools

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"kontor.dev/kontor/internal/agent"
	"kontor.dev/kontor/internal/model"
)

// item is a server as a model is shown it: no setting that may hold a secret.
type item struct {
	Name         string `json:"name"`
	FriendlyName string `json:"friendly_name,omitempty"`
	Description  string `json:"description,omitempty"`
	Transport    string `json:"transport"`
	Enabled      bool   `json:"enabled"`
	State        string `json:"state"`
	Problem      string `json:"problem,omitempty"`
	Tools        int    `json:"tools"`
}

func itemOf(s agent.Server) item {
	i := item{
		Name: s.Config.Name, FriendlyName: s.Config.FriendlyName, Description: s.Config.Description,
		Transport: string(s.Config.Transport), Enabled: s.Config.Enabled, State: string(s.Status.State), Tools: s.Status.Tools,
	}
	if e := s.Status.LastError; e != nil && s.Status.State != model.ServerReady {
		i.Problem = e.Message
	}
	return i
}

func (c *Tools) listItems(_ context.Context, call model.Call) (model.Result, error) {
	if _, err := read[struct{ Type string }](call); err != nil {
		return model.Result{}, err
	}
	items := []item{}
	for _, s := range c.o.Servers.Servers() {
		items = append(items, itemOf(s))
	}
	return structured(map[string]any{"mcp": items})
}

func (c *Tools) registerMCP(ctx context.Context, call model.Call) (model.Result, error) {
	in, err := read[struct {
		Name, Transport, Command, URL, Description string
		Args                                       []string
		Env                                        map[string]string
		APIKey                                     string `json:"api_key"`
		FriendlyName                               string `json:"friendly_name"`
	}](call)
	if err != nil {
		return model.Result{}, err
	}
	transport, err := model.ParseTransport(in.Transport)
	if err != nil {
		return model.Result{}, err
	}
	if name := writtenOut(in.APIKey, in.Env); name != "" {
		return model.Result{}, model.Errorf(model.CodeInvalid, "%s: what is written here is kept with the chat. Write ${NAME}, and have the person type the value with %s", name, setSecret)
	}
	s := model.Server{
		Name: in.Name, FriendlyName: in.FriendlyName, Description: in.Description, Transport: transport,
		Command: in.Command, Args: in.Args, URL: in.URL, BearerToken: model.Value{Text: in.APIKey}, Enabled: true, ShareImages: true,
	}
	for name, value := range in.Env {
		if s.Env == nil {
			s.Env = map[string]model.Value{}
		}
		s.Env[name] = model.Value{Text: value}
	}
	if err := c.o.Servers.Add(ctx, s); err != nil {
		return model.Result{}, err
	}
	return c.connected(ctx, in.Name, "Added")
}

var secretName = regexp.MustCompile(`(?i)pass(word|phrase|wd)?|secret|token|api_?key|credential|authorization|private_?key`)

// writtenOut names a secret that isn't a reference, by its name; "" when there is none.
func writtenOut(apiKey string, env map[string]string) string {
	if (model.Value{Text: apiKey}).Secret() {
		return "api_key"
	}
	for _, name := range slices.Sorted(maps.Keys(env)) {
		if secretName.MatchString(name) && (model.Value{Text: env[name]}).Secret() {
			return "env " + name
		}
	}
	return ""
}

func (c *Tools) toggleItem(ctx context.Context, call model.Call) (model.Result, error) {
	in, err := read[struct {
		Kind, ID string
		Enabled  *bool
	}](call)
	switch {
	case err != nil:
		return model.Result{}, err
	case in.Kind != "mcp" || in.Enabled == nil:
		return model.Result{}, model.Errorf(model.CodeInvalid, `toggle_item wants kind "mcp", the server's name as id, and enabled`)
	}
	if err := c.o.Servers.SetEnabled(ctx, in.ID, *in.Enabled); err != nil {
		return model.Result{}, err
	}
	if !*in.Enabled {
		return text("The server %s is switched off.", in.ID), nil
	}
	return c.connected(ctx, in.ID, "Switched on")
}

func (c *Tools) deleteMCP(ctx context.Context, call model.Call) (model.Result, error) {
	in, err := read[struct{ Name string }](call)
	if err != nil {
		return model.Result{}, err
	}
	if err := c.o.Servers.Delete(ctx, in.Name); err != nil {
		return model.Result{}, err
	}
	return text("The server %s is deleted.", in.Name), nil
}

// connected waits for a server and says how it stands. What was done stays done.
func (c *Tools) connected(ctx context.Context, name, done string) (model.Result, error) {
	waiting, cancel := context.WithTimeout(ctx, reachLimit)
	defer cancel()
	err := c.o.Servers.Reach(waiting, name)
	switch {
	case model.CodeOf(err) == model.CodeNeedsSignIn:
		return text("%s. The server %s needs the person to sign in: a request is in their inbox.", done, name), nil
	case err != nil:
		r := text("%s, but the server %s isn't connected: %s", done, name, err)
		r.IsError = true
		return r, nil
	}
	for _, s := range c.o.Servers.Servers() {
		if s.Config.Name == name {
			return text("%s. The server %s is connected and offers %d tools: activate the group %q to call them.", done, name, s.Status.Tools, name), nil
		}
	}
	return text("%s. The server %s is gone already.", done, name), nil
}

// read reads a call's arguments. Its error never repeats them: they may hold a secret.
func read[T any](call model.Call) (T, error) {
	var in T
	if err := json.Unmarshal(call.Arguments, &in); err != nil || !named(call) {
		return in, model.Errorf(model.CodeInvalid, "the arguments don't fit %s: look at its schema", call.Tool)
	}
	return in, nil
}

// named tells whether all arguments are named as the schema does, to the letter: an
// "Args" beside the "args" that the person reads first would else win.
func named(call model.Call) bool {
	var given map[string]json.RawMessage
	var schema struct{ Properties map[string]json.RawMessage }
	if json.Unmarshal(call.Arguments, &given) != nil {
		return false
	}
	for _, d := range definitions() {
		if d.name == call.Tool && json.Unmarshal([]byte(d.schema), &schema) != nil {
			return false
		}
	}
	for name := range given {
		if _, ok := schema.Properties[name]; !ok {
			return false
		}
	}
	return true
}

func text(format string, args ...any) model.Result {
	said := fmt.Sprintf(format, args...)
	return model.Result{Type: model.ResultString, Text: said, Content: []model.Content{{Kind: model.ContentText, Text: said}}}
}

func structured(v any) (model.Result, error) {
	raw, err := json.Marshal(v)
	return model.Result{Type: model.ResultJSON, Text: string(raw), Structured: raw}, err
}
