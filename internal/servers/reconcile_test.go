package servers

import (
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestReconcile(t *testing.T) {
	t.Parallel()
	base := model.Server{
		Name: "s", Transport: model.TransportStdio, Command: "x", Args: []string{"a"}, Cwd: "/",
		Env: map[string]model.Value{"K": {Text: "v"}}, Enabled: true,
	}
	with := func(edit func(*model.Server)) *model.Server {
		s := base
		edit(&s)
		return &s
	}
	cases := []struct {
		name             string
		desired, running *model.Server
		want             change
	}{
		{"a new one starts", &base, nil, start},
		{"a deleted one stops", nil, &base, stop},
		{"a disabled one stops", with(func(s *model.Server) { s.Enabled = false }), &base, stop},
		{"a disabled one that doesn't run is left alone", with(func(s *model.Server) { s.Enabled = false }), nil, keep},
		{"the same is kept", with(func(s *model.Server) {
			s.Args = []string{"a"}
			s.Env = map[string]model.Value{"K": {Text: "v"}}
		}), &base, keep},
		{"names are kept", with(func(s *model.Server) { s.FriendlyName, s.Description = "f", "d" }), &base, keep},
		{"limits of the transport", with(func(s *model.Server) { s.MaxMessage = 1 << 20 }), &base, replace},
		{"limits of its streams", with(func(s *model.Server) { s.SSEIdleTimeout = 1 }), &base, replace},
		{"how it reconnects is kept", with(func(s *model.Server) { s.Reconnect.Initial = 1 }), &base, keep},
		{"limits are kept", with(func(s *model.Server) { s.StartTimeout, s.CallTimeout, s.CallMax, s.ElicitationTimeout = 1, 2, 3, 4 }), &base, keep},
		{"tools are kept", with(func(s *model.Server) {
			s.EnabledTools, s.DisabledTools, s.Trusted, s.ShareImages, s.Delivery = []string{"t"}, []string{"u"}, true, true, "inject_summary"
		}), &base, keep},
		{"another transport", with(func(s *model.Server) { s.Transport = model.TransportHTTP }), &base, replace},
		{"another command", with(func(s *model.Server) { s.Command = "y" }), &base, replace},
		{"other args", with(func(s *model.Server) { s.Args = nil }), &base, replace},
		{"another folder", with(func(s *model.Server) { s.Cwd = "" }), &base, replace},
		{"another env value", with(func(s *model.Server) { s.Env = map[string]model.Value{"K": {Text: "w"}} }), &base, replace},
		{"another address", with(func(s *model.Server) { s.URL = "http://x" }), &base, replace},
		{"another header", with(func(s *model.Server) { s.Headers = map[string]model.Value{"K": {Text: "w"}} }), &base, replace},
		{"another token", with(func(s *model.Server) { s.BearerToken = model.Value{Text: "w"} }), &base, replace},
	}
	set := func(s *model.Server) map[string]model.Server {
		all := map[string]model.Server{}
		if s != nil {
			all[s.Name] = *s
		}
		return all
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			actions := reconcile(set(tc.desired), set(tc.running))
			if len(actions) != 1 || actions[0].change != tc.want || actions[0].name != "s" {
				t.Errorf("got %+v, want %s", actions, tc.want)
			}
		})
	}
}

func TestReconcileGoesByName(t *testing.T) {
	t.Parallel()
	on := func(name string) model.Server { return model.Server{Name: name, Enabled: true} }
	got := reconcile(
		map[string]model.Server{"c": on("c"), "a": on("a")},
		map[string]model.Server{"b": on("b"), "c": on("c")},
	)
	want := []action{{start, "a", on("a")}, {stop, "b", model.Server{}}, {keep, "c", on("c")}}
	if len(got) != len(want) {
		t.Fatalf("got %+v", got)
	}
	for i := range want {
		if got[i].change != want[i].change || got[i].name != want[i].name || got[i].config.Name != want[i].config.Name {
			t.Errorf("%d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}
