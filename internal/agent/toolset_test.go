package agent

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/model"
)

func server(name string, state model.ServerState) Server {
	s := Server{Config: model.Server{Name: name, Enabled: state != model.ServerDisabled}, Status: model.Status{State: state}}
	if state == model.ServerFailed || state == model.ServerNeedsSignIn {
		s.Status.LastError = &model.Error{Message: name + " is " + string(state)}
	}
	return s
}

func named(server string, names ...string) []model.Tool {
	var out []model.Tool
	for _, n := range names {
		out = append(out, model.Tool{Server: server, Name: n, Description: n, InputSchema: json.RawMessage(`{"type":"object"}`)})
	}
	return out
}

func TestActivate(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.servers.list = []Server{
		server("ready", model.ServerReady), server("off", model.ServerDisabled), server("away", model.ServerFailed),
		server("locked", model.ServerNeedsSignIn), server("slow", model.ServerConnecting), server("other", model.ServerReady),
	}
	d.servers.tools = slices.Concat(named("ready", "a"), named("slow", "b"), named("other", "c"))
	d.servers.reach = map[string]error{
		"away":   model.Errorf(model.CodeServerUnavailable, "it exits at once"),
		"locked": model.Errorf(model.CodeNeedsSignIn, "sign in"),
	}
	for _, s := range []string{"ready", "off", "away", "locked", "slow", "other"} {
		if err := d.store.InsertServer(t.Context(), model.Server{Name: s, Transport: model.TransportStdio, Command: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	chat := d.chat()
	_, root, err := d.root(t.Context(), chat)
	if err != nil {
		t.Fatal(err)
	}
	only := agents.Agent{AgentInfo: model.AgentInfo{Name: "Narrow", Groups: []string{"ready", "off", "away", "locked", "slow", "config"}}}
	if err := d.grant(t.Context(), root, []string{"config"}); err != nil {
		t.Fatal(err)
	}
	got, err := d.activate(t.Context(), root, d.groups(only, []string{"config"}),
		[]string{"ready", "config", "off", "away", "locked", "slow", "other", "redy", "ready"})
	if err != nil {
		t.Fatal(err)
	}
	want := `ready: activated: 1 tools can be called from now on: mcp__ready__a
config: already_active: its tools can be called.
off: disabled: The server is switched off.
away: unavailable: it exits at once
locked: needs_sign_in: the person has to sign in to it first; a request to do so is in their inbox. Ask them, or go on without it.
slow: activated: 1 tools can be called from now on: mcp__slow__b
other: not_allowed: The agent Narrow may not use it.
redy: unknown: there is no such group. Near: ready.`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	granted, err := d.store.Grants(t.Context(), root)
	if want := []string{"config", "ready", "slow"}; err != nil || !slices.Equal(granted, want) {
		t.Errorf("got %v, %v, want %v", granted, err, want)
	}
}

// Whatever servers, tools, grants and agents there are: what the prompt lists, what
// can be found and what can be called, if need be once it is activated, is the same.
func TestListedIsSearchableIsCallable(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	r := rand.New(rand.NewPCG(1, 2))
	states := []model.ServerState{model.ServerReady, model.ServerDisabled, model.ServerFailed, model.ServerNeedsSignIn, model.ServerConnecting}
	for range 300 {
		var list []Server
		var tools []model.Tool
		var names []string
		for i := range r.IntN(6) {
			name := fmt.Sprintf("s%d", i)
			list = append(list, server(name, states[r.IntN(len(states))]))
			for j := range r.IntN(4) {
				tools = append(tools, named(name, fmt.Sprintf("t%d", j))...)
			}
			names = append(names, name)
		}
		d.servers.change(func(s *fakeServers) { s.list, s.tools = list, tools })
		some := func() []string {
			return slices.DeleteFunc(append(slices.Clone(names), "config", "gone"), func(string) bool { return r.IntN(2) == 0 })
		}
		a := agents.Agent{Prompt: agents.ListTag}
		if r.IntN(2) == 0 {
			a.Groups = some()
		}
		groups := d.groups(a, some())
		everything := d.groups(a, append(names, "config"))
		listed := prompt(a, groups)
		callable := newOffer(everything, nil, toolschema.OpenAI(), &definitions{}).byName
		found := map[string]bool{}
		for _, t := range searchable(groups) {
			found[modelName(t.FullName())] = true
		}
		if len(found) != len(callable) {
			t.Fatalf("%d can be found, %d called: %v", len(found), len(callable), groups)
		}
		now := newOffer(groups, nil, toolschema.OpenAI(), &definitions{})
		for _, g := range groups {
			line := strings.Contains(listed, "- `"+g.Name+"`")
			if line != g.usable() {
				t.Fatalf("%s, %s, is listed: %v", g.Name, g.State, line)
			}
			for _, tool := range g.tools {
				name := modelName(tool.FullName())
				if _, ok := callable[name]; !found[name] || !ok || !g.usable() {
					t.Fatalf("%s is found: %v, callable: %v, usable: %v", name, found[name], ok, g.usable())
				}
				if _, ok := now.byName[name]; ok != g.Active {
					t.Fatalf("%s can be called now: %v, but active: %v", name, ok, g.Active)
				}
			}
		}
	}
}

func TestMissingTools(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.servers.list = []Server{server("on", model.ServerReady), server("idle", model.ServerReady), server("off", model.ServerDisabled)}
	d.servers.tools = slices.Concat(named("on", "read_file"), named("idle", "write_file"), named("off", "gone"))
	o := newOffer(d.groups(agents.Agent{}, []string{"on"}), nil, toolschema.OpenAI(), &definitions{})
	for name, want := range map[string]string{
		"mcp__idle__write_file": `The tool mcp__idle__write_file was not run: its group "idle" isn't active. Call activate_tools with {"groups": ["idle"]} first; its tools can be called from then on.`,
		"list_items":            `The tool list_items was not run: its group "config" isn't active. Call activate_tools with {"groups": ["config"]} first; its tools can be called from then on.`,
		"mcp__off__gone":        "The tool mcp__off__gone was not run: The server is switched off.",
		"mcp__on__read_fil":     `There is no tool "mcp__on__read_fil"; nothing was run. Near: mcp__on__read_file.`,
		"notifi":                `There is no tool "notifi"; nothing was run. Near: notify.`,
		"zzzzz":                 `There is no tool "zzzzz"; nothing was run.`,
	} {
		if got := o.missing(name, []string{"notify"}); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
}

func TestServerList(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.servers.list = []Server{server("files", model.ServerReady), server("mail", model.ServerNeedsSignIn)}
	d.servers.list[1].Config.Description = "Reads mail"
	d.servers.tools = named("files", "read", "write")
	got := prompt(agents.Agent{Prompt: "You are.\n" + agents.ListTag + "\nEnd."}, d.groups(agents.Agent{}, []string{"files"}))
	want := "You are.\n## Tool groups\n\n**Available**: call `activate_tools({\"groups\": [\"name\"]})` to load the tools:\n" +
		"- `mail`: Reads mail (needs a sign-in by the person)\n" +
		"- `config`: Kontor's own settings: add, switch and delete servers, store secrets (1 tools)\n\n" +
		"**Active**: tools can be called as `mcp__<name>__<tool>`:\n- `files`\nEnd."
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	none := agents.Agent{Prompt: agents.ListTag, AgentInfo: model.AgentInfo{Groups: []string{}}}
	if got := prompt(none, d.groups(none, nil)); !strings.Contains(got, "There are none") {
		t.Errorf("got %s", got)
	}
}

func TestAGroupThatChangesIsTold(t *testing.T) {
	t.Parallel()
	d := newDesk(t, says(words("a")), says(words("b")), says(words("c")), says(words("d")), says(words("e")))
	chat := d.chat("demo")
	d.say(chat, "1")
	d.servers.change(func(s *fakeServers) { s.tools = append(slices.Clone(s.tools), tool("new")) })
	d.say(chat, "2")
	d.say(chat, "3")
	if _, err := d.SetGrants(t.Context(), chat, []string{"config"}); err != nil {
		t.Fatal(err)
	}
	d.say(chat, "4")
	got := strings.Join(d.story(chat), "; ")
	want := "user text 1; assistant text a; " +
		"user text 2; note note capabilities_changed The tools of demo have changed: look at them anew before you call one.; assistant text b; " +
		"user text 3; assistant text c; " +
		"note note groups_changed The person switched on: config. The person switched off: demo. These tools can't be called any more.; " +
		"user text 4; assistant text d"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	requests := d.requests()
	for i := range requests {
		if requests[i].System != requests[0].System {
			t.Error("the system prompt changed")
		}
	}
	if got := brief(requests[1].Messages)[3]; !strings.HasPrefix(got, "user: [Kontor] The tools of demo have changed") {
		t.Errorf("the model was told %s", got)
	}
}

func TestGrantsThatCannotBe(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chat := d.chat()
	if _, err := d.SetGrants(t.Context(), chat, []string{"nope"}); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("got %v", err)
	}
	if len(d.rows(chat)) > 0 {
		t.Error("an empty chat has a note")
	}
}
