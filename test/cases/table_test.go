package cases

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// fault is one case: a server, and what becomes of it.
type fault struct {
	// name says what the server does; it is the server's name, too.
	name   string
	server server
	// over is how it is reached over HTTP, around the usual; nil for stdio.
	over func(usual http.Handler) http.Handler
	// config holds further settings; env is added to the fake's own.
	config kontor.Config
	check  func(t *testing.T, k *kontor.Kontor, name string)
}

func faults() []fault {
	return slices.Concat(framing(), eras(), starting(), running(), listing(), naming(), passing(), results(), bodies(), streams(), questions())
}

func find(name string) fault {
	all := faults()
	return all[slices.IndexFunc(all, func(f fault) bool { return f.name == name })]
}

func TestServersOfAllKinds(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			k := k.For(t)
			k.Add(f.name, f.configuration(t))
			f.check(t, k, f.name)
		})
	}
}

func (f fault) configuration(t *testing.T) kontor.Config {
	t.Helper()
	var c kontor.Config
	if f.over != nil {
		c = listen(t, f.over(f.server))
	} else {
		c = process(t, f.name)
	}
	for setting, value := range f.config {
		if setting == "env" {
			for name, v := range value.(map[string]any) {
				c["env"].(map[string]any)[name] = v
			}
			continue
		}
		c[setting] = value
	}
	return c
}

// call runs a server's tool.
func call(k *kontor.Kontor, server, tool, arguments string) kontor.Call {
	return k.Call("mcp__"+server+"__"+tool, arguments)
}

// done runs a tool that must come to a result, and returns its text.
func done(t *testing.T, k *kontor.Kontor, server, tool, arguments string) string {
	t.Helper()
	c := call(k, server, tool, arguments)
	if c.State != "done" || c.IsError {
		t.Fatalf("%s is %s: %+v %s; the log:\n%s", tool, c.State, c.Error, c.Result, k.Log(server))
	}
	return c.Text()
}

// failed runs a tool that must be kept from a result, and returns why.
func failed(t *testing.T, k *kontor.Kontor, server, tool, state, code string) string {
	t.Helper()
	c := call(k, server, tool, "{}")
	if c.State != state || c.Error == nil || c.Error.Code != code {
		t.Fatalf("%s is %s with %+v, want %s with %s", tool, c.State, c.Error, state, code)
	}
	return c.Error.Message
}

// notReady waits until a server has failed with the code, and returns the words.
func notReady(t *testing.T, k *kontor.Kontor, name, code string) string {
	t.Helper()
	s := k.AwaitServer(name, "failed", func(s kontor.Server) bool { return s.Status.State == "failed" })
	if e := s.Status.LastError; e == nil || e.Code != code {
		t.Fatalf("%s failed with %+v, want %s", name, e, code)
	}
	return s.Status.LastError.Message
}

// holds asserts that words hold each part.
func holds(t *testing.T, words string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(words, part) {
			t.Errorf("%q doesn't hold %q", words, part)
		}
	}
}

// logged waits until the server's log holds a line.
func logged(t *testing.T, k *kontor.Kontor, name, line string) {
	t.Helper()
	kontor.Poll(t, kontor.Patience, line+" in the log", func() bool { return strings.Contains(k.Log(name), line) })
}

// quiet asserts that nothing is said against a server that is ready.
func quiet(t *testing.T, k *kontor.Kontor, name string) {
	t.Helper()
	s := k.AwaitState(name, "ready")
	if len(s.Warnings) != 0 || s.Status.LastError != nil {
		t.Errorf("ready with %+v, %+v, want no word against it", s.Warnings, s.Status.LastError)
	}
}
