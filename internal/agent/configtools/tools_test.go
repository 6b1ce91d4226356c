package configtools

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/agent"
	"kontor.dev/kontor/internal/model"
)

// office is servers, secrets and a person, in memory.
type office struct {
	servers []agent.Server
	secrets map[string]string
	reach   error
	answer  model.Answer
	asked   []model.Item
	asking  int
	changed int
}

func (o *office) Servers() []agent.Server { return o.servers }

func (o *office) Add(_ context.Context, s model.Server) error {
	if err := s.Validate(); err != nil {
		return err
	}
	o.servers = append(o.servers, agent.Server{Config: s, Status: model.Status{State: model.ServerReady, Tools: 3}})
	return nil
}

func (o *office) SetEnabled(_ context.Context, name string, enabled bool) error {
	for i := range o.servers {
		if o.servers[i].Config.Name == name {
			o.servers[i].Config.Enabled = enabled
			return nil
		}
	}
	return model.Errorf(model.CodeNotFound, "there is no server %q", name)
}

func (o *office) Delete(_ context.Context, name string) error {
	n := len(o.servers)
	o.servers = slices.DeleteFunc(o.servers, func(s agent.Server) bool { return s.Config.Name == name })
	if len(o.servers) == n {
		return model.Errorf(model.CodeNotFound, "there is no server %q", name)
	}
	return nil
}

func (o *office) Reach(context.Context, string) error { return o.reach }

func (o *office) SecretNames(context.Context) ([]string, error) {
	var names []string
	for n := range o.secrets {
		names = append(names, n)
	}
	slices.Sort(names)
	return names, nil
}

func (o *office) PutSecret(_ context.Context, name, plain string) error {
	o.secrets[name] = plain
	return nil
}

func (o *office) Ask(_ context.Context, item model.Item) (model.Answer, error) {
	if o.asking != 1 {
		return model.Answer{}, errors.New("the call's clock runs while the person is asked")
	}
	o.asked = append(o.asked, item)
	return o.answer, nil
}

func (o *office) Begin(ctx context.Context, _ []string) (context.Context, []model.Call, func()) {
	o.asking++
	return ctx, nil, func() { o.asking-- }
}

func newOffice() (*office, *Tools) {
	o := &office{secrets: map[string]string{"OLD_KEY": "x"}}
	o.servers = []agent.Server{{
		Config: model.Server{Name: "files", Transport: model.TransportStdio, Command: "serve", Enabled: true, Env: map[string]model.Value{"KEY": {Text: "hunter2"}}},
		Status: model.Status{State: model.ServerFailed, LastError: &model.Error{Message: "it exits"}},
	}}
	return o, New(Options{Servers: o, Secrets: o, Inbox: o, Questions: o, SecretsChanged: func() { o.changed++ }})
}

func run(t *testing.T, c *Tools, tool, arguments string) (string, error) {
	t.Helper()
	r, err := c.Run(t.Context(), model.Call{ID: "c1", Server: model.GroupConfig, Tool: tool, Arguments: json.RawMessage(arguments)})
	return r.Text, err
}

func TestTools(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ tool, arguments, want string }{
		{listItems, `{"type":"mcp"}`, `{"mcp":[{"name":"files","transport":"stdio","enabled":true,"state":"failed","problem":"it exits","tools":0}]}`},
		{registerMCP, `{"name":"web","transport":"sse","url":"https://x.example/mcp","api_key":"${WEB_KEY}","friendly_name":"Web"}`,
			`Added. The server web is connected and offers 3 tools: activate the group "web" to call them.`},
		{registerMCP, `{"name":"a__b","transport":"stdio","command":"x"}`, `! name "a__b": two underscores in a row separate server and tool; use one`},
		{registerMCP, `{"name":"a","transport":"pigeon"}`, `! transport "pigeon" is unknown: use stdio or http`},
		{registerMCP, `{"name":"a","transport":"stdio","commnd":"x"}`, `! the arguments don't fit register_mcp: look at its schema`},
		{registerMCP, `{"name":"a","transport":"http","url":"https://x.example","api_key":"hunter2"}`,
			"! api_key: what is written here is kept with the chat. Write ${NAME}, and have the person type the value with set_secret"},
		{registerMCP, `{"name":"a","transport":"stdio","command":"x","env":{"LANG":"C","GH_TOKEN":"hunter2"}}`,
			"! env GH_TOKEN: what is written here is kept with the chat. Write ${NAME}, and have the person type the value with set_secret"},
		{registerMCP, `{"name":"a","transport":"stdio","command":"x","env":{"LANG":"C","GH_TOKEN":"${GH_TOKEN}"}}`,
			`Added. The server a is connected and offers 3 tools: activate the group "a" to call them.`},
		{registerMCP, `{"name":"a","transport":"stdio","command":"x","Command":"y"}`, `! the arguments don't fit register_mcp: look at its schema`},
		{registerMCP, `{"name":"a","transport":"stdio","command":"x","argſ":["y"]}`, `! the arguments don't fit register_mcp: look at its schema`},
		{toggleItem, `{"kind":"mcp","id":"files","enabled":false}`, "The server files is switched off."},
		{toggleItem, `{"kind":"mcp","id":"files"}`, `! toggle_item wants kind "mcp", the server's name as id, and enabled`},
		{toggleItem, `{"kind":"mcp","id":"nope","enabled":true}`, `! there is no server "nope"`},
		{deleteMCP, `{"name":"files"}`, "The server files is deleted."},
		{listSecrets, `{"pattern":"OLD*"}`, `{"secrets":["OLD_KEY"]}`},
		{listSecrets, `{"pattern":"NEW*"}`, `{"secrets":[]}`},
		{"rm", `{}`, `! there is no tool "rm"`},
	} {
		_, tools := newOffice()
		got, err := run(t, tools, c.tool, c.arguments)
		if err != nil {
			got = "! " + err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s:\ngot  %s\nwant %s", c.tool, c.arguments, got, c.want)
		}
	}
}

func TestAServerThatIsAddedButNotReachedStays(t *testing.T) {
	t.Parallel()
	o, tools := newOffice()
	o.reach = model.Errorf(model.CodeNeedsSignIn, "sign in")
	got, err := run(t, tools, registerMCP, `{"name":"web","transport":"http","url":"https://x.example/mcp","env":{}}`)
	if err != nil || !strings.Contains(got, "needs the person to sign in") || len(o.servers) != 2 {
		t.Errorf("got %q, %v", got, err)
	}
	o.reach = model.Errorf(model.CodeServerUnavailable, "no such program")
	r, err := tools.Run(t.Context(), model.Call{Tool: registerMCP, Arguments: json.RawMessage(`{"name":"b","transport":"http","url":"https://y.example/mcp"}`)})
	if err != nil || !r.IsError || r.Text != "Added, but the server b isn't connected: no such program" || len(o.servers) != 3 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// The value of a secret goes from the form to the store and nowhere else.
func TestSetSecret(t *testing.T) {
	t.Parallel()
	o, tools := newOffice()
	o.answer = model.Answer{Action: model.ActionAccept, Content: json.RawMessage(`{"value":"s3cr3t-value"}`)}
	got, err := run(t, tools, setSecret, `{"name":"NEW_KEY"}`)
	if err != nil || got != "The person has set the secret NEW_KEY." || o.secrets["NEW_KEY"] != "s3cr3t-value" || o.changed != 1 {
		t.Errorf("got %q, %v, %v", got, err, o.secrets)
	}
	item := o.asked[0]
	if item.Server != "" || item.CallID != "c1" || !strings.Contains(string(item.Schema), `"format":"password"`) || o.asking != 0 {
		t.Errorf("got %+v", item)
	}
	o.answer = model.Answer{Action: model.ActionDecline}
	if got, err := run(t, tools, setSecret, `{"name":"NEW_KEY"}`); err != nil || !strings.HasPrefix(got, "The person gave no value") {
		t.Errorf("got %q, %v", got, err)
	}
	for _, arguments := range []string{`{"name":"NEW_KEY","value":"leak"}`, `{"name":"KONTOR_KEY"}`, `{"name":"a b"}`} {
		if _, err := run(t, tools, setSecret, arguments); model.CodeOf(err) != model.CodeInvalid || strings.Contains(err.Error(), "leak") {
			t.Errorf("%s: got %v", arguments, err)
		}
	}
	if len(o.asked) != 2 {
		t.Errorf("the person was asked %d times", len(o.asked))
	}
}

func TestWhatChangesTheMachineAlwaysAsks(t *testing.T) {
	t.Parallel()
	_, tools := newOffice()
	always := map[string]bool{registerMCP: true, toggleItem: true, deleteMCP: true}
	list := List(func(_, _ string, _ []byte) int { return 7 })
	if len(list) != 6 {
		t.Errorf("got %d tools", len(list))
	}
	for _, l := range list {
		tool, asks, ok := tools.Tool(l.Name, nil)
		if !ok || asks != always[l.Name] || !json.Valid(tool.InputSchema) || !json.Valid(tool.Annotations) || l.Tokens != 7 {
			t.Errorf("%s: asks %v, %+v", l.Name, asks, tool)
		}
	}
	if _, _, ok := tools.Tool("rm", nil); ok {
		t.Error("there is a tool rm")
	}
}
