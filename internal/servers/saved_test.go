package servers

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// offering connects to servers that list these tools, and resources that fail when
// there is an error.
func offering(resources error, tools ...string) dialFunc {
	return func(context.Context, model.Server) (*fakeClient, error) {
		f := newFakeClient()
		f.lists = func(_ context.Context, kind model.ListKind) (client.List, error) {
			switch kind {
			case model.ListTools:
				return toolList(tools...), nil
			case model.ListResources:
				return client.List{}, resources
			}
			return client.List{}, nil
		}
		return f, nil
	}
}

// after is a store as a Kontor leaves it that ran with these servers.
func after(t *testing.T, dial dialFunc, configs ...model.Server) *fakeStore {
	t.Helper()
	r := newRig(t, dial, configs...)
	synctest.Wait()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.store.written()
	return r.store
}

// again is a rig over a store that was there.
func again(t *testing.T, s *fakeStore, dial dialFunc) *rig {
	t.Helper()
	return newRigWith(t, func(o *Options) {
		o.Store = s
		o.Connect = func(ctx context.Context, s model.Server, co client.Options) (Client, error) {
			c, err := dial(ctx, s)
			if err != nil {
				return nil, err
			}
			c.o = co
			return c, nil
		}
	})
}

func TestSettingsAndCredentialsHaveOneFingerprint(t *testing.T) {
	t.Parallel()
	base := model.Server{Name: "a", Transport: model.TransportHTTP, URL: "u", Command: "c", Args: []string{"1"}, Cwd: "d",
		Env: map[string]model.Value{"E": {Text: "e"}}, Headers: map[string]model.Value{"H": {Text: "h"}}, BearerToken: model.Value{Text: "b"}}
	for name, edit := range map[string]func(*model.Server){
		"transport": func(s *model.Server) { s.Transport = model.TransportStdio },
		"url":       func(s *model.Server) { s.URL = "v" },
		"command":   func(s *model.Server) { s.Command = "v" },
		"args":      func(s *model.Server) { s.Args = []string{"1", ""} },
		"cwd":       func(s *model.Server) { s.Cwd = "v" },
		"env":       func(s *model.Server) { s.Env = map[string]model.Value{"E": {Text: "v"}} },
		"headers":   func(s *model.Server) { s.Headers = map[string]model.Value{"H": {Text: "h"}, "I": {}} },
		"bearer":    func(s *model.Server) { s.BearerToken.Text = "v" },
		"a move":    func(s *model.Server) { s.Env, s.Headers = s.Headers, s.Env },
	} {
		s := base
		edit(&s)
		if fingerprintOf(model.Server{}, s) == fingerprintOf(model.Server{}, base) {
			t.Errorf("another %s has the same fingerprint", name)
		}
		if sameConnection(s, base) {
			t.Errorf("another %s leads to the same connection", name)
		}
	}
	same := base
	same.Name, same.FriendlyName, same.Enabled, same.DisabledTools, same.CallTimeout = "b", "B", true, []string{"x"}, time.Second
	same.BearerToken.Plain = true
	if fingerprintOf(same, same) != fingerprintOf(base, base) {
		t.Error("what doesn't change the connection changes the fingerprint")
	}
}

func TestSavedToolsAreThereAtOnceAndTheDialGoesOnBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := after(t, offering(nil, "x", "y"), config("a"))
		release := make(chan struct{})
		var known client.Era
		r := again(t, s, func(ctx context.Context, m model.Server) (*fakeClient, error) {
			<-release
			return offering(nil, "x", "y")(ctx, m)
		})
		st := r.state(t, "a")
		if st.State != model.ServerConnecting || !st.Saved || st.ListedAt.IsZero() || st.Tools != 2 || st.ProtocolVersion != "2025-11-25" || st.ServerName != "fake" {
			t.Errorf("at the start: %+v", st)
		}
		if got := r.catalogue.lists["a tools"]; len(got) != 2 {
			t.Errorf("the catalogue has %s", got)
		}
		got := make(chan error)
		go func() {
			c, err := r.Conn(ctx, "a")
			if err == nil {
				known = c.client.(*fakeClient).o.KnownEra
			}
			got <- err
		}()
		time.Sleep(time.Minute)
		close(release)
		if err := <-got; err != nil {
			t.Errorf("who came first: %v", err)
		}
		synctest.Wait()
		if known != client.Legacy {
			t.Errorf("the era is known as %q", known)
		}
		if st := r.state(t, "a"); st.Saved || st.State != model.ServerReady {
			t.Errorf("connected: %+v", st)
		}
		if got := s.written(); !slices.Equal(got, []string{"touch"}) {
			t.Errorf("written: %q", got)
		}
	})
}

func TestAnUnreachableServerStaysListed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := after(t, offering(nil, "x"), config("a"))
		r := again(t, s, func(context.Context, model.Server) (*fakeClient, error) { return nil, errors.New("away") })
		synctest.Wait()
		if st := r.state(t, "a"); st.State != model.ServerFailed || !st.Saved || st.Tools != 1 {
			t.Errorf("status = %+v", st)
		}
		if _, err := r.Conn(ctx, "a"); err == nil || err.Error() != "away" {
			t.Errorf("a call is told %v", err)
		}
		if got := s.written(); got != nil {
			t.Errorf("written: %q", got)
		}
	})
}

func TestOnlyWhatChangedIsWritten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := after(t, offering(nil, "x"), config("a"))
		_ = again(t, s, offering(errors.New("broken"), "x", "y"))
		synctest.Wait()
		if got, want := s.written(), []string{`save tools=[{"name":"x"} {"name":"y"}]`}; !slices.Equal(got, want) {
			t.Errorf("written: %q, want %q", got, want)
		}
	})
}

// withKey is a server whose settings refer to a variable.
func withKey(args ...string) model.Server {
	s := config("a")
	s.Env, s.Args = map[string]model.Value{"TOKEN": {Text: "${KEY}"}}, args
	return s
}

func TestOtherCredentialsStartWithout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := after(t, offering(nil, "x"), withKey())
		var known client.Era
		r := newRigWith(t, func(o *Options) {
			o.Store, o.Expander = s, fakeExpander{"KEY": "another"}
			o.Connect = func(ctx context.Context, m model.Server, co client.Options) (Client, error) {
				known = co.KnownEra
				return offering(errors.New("broken"), "z")(ctx, m)
			}
		})
		if st := r.state(t, "a"); st.Saved || st.Tools != 0 || st.Era != "" {
			t.Errorf("status = %+v", st)
		}
		synctest.Wait()
		want := []string{`save tools=[{"name":"z"}] resources=[] resource_templates=[] prompts=[]`}
		if got := s.written(); known != "" || !slices.Equal(got, want) {
			t.Errorf("era %q, written %q, want %q", known, got, want)
		}
	})
}

// Whether the credentials are others can't be told then, and nothing can be called.
func TestSavedToolsStayWhereAVariableIsMissing(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		now  model.Server
		want int
	}{"the same settings": {withKey(), 1}, "other settings": {withKey("--other"), 0}} {
		synctest.Test(t, func(t *testing.T) {
			s := after(t, offering(nil, "x"), withKey())
			s.servers["a"] = test.now
			r := newRigWith(t, func(o *Options) {
				o.Store, o.Expander = s, fakeExpander{}
				o.Connect = func(context.Context, model.Server, client.Options) (Client, error) {
					t.Errorf("%s: it is dialled", name)
					return nil, errors.New("dialled")
				}
			})
			synctest.Wait()
			st := r.state(t, "a")
			if st.State != model.ServerFailed || st.LastError == nil || st.LastError.Code != model.CodeMissingVariable {
				t.Errorf("%s: status = %+v", name, st)
			}
			if got := len(r.catalogue.lists["a tools"]); st.Saved != (test.want > 0) || st.Tools != test.want || got != test.want {
				t.Errorf("%s: saved %t, %d tools, %d in the catalogue, want %d", name, st.Saved, st.Tools, got, test.want)
			}
			if got := s.written(); got != nil {
				t.Errorf("%s: written %q", name, got)
			}
		})
	}
}

func TestADeletedServerLeavesNothingSaved(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, offering(nil, "x"), config("a"))
		synctest.Wait()
		if err := r.Delete(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if len(r.store.saved) > 0 {
			t.Errorf("left: %+v", r.store.saved)
		}
	})
}

func TestATooLongListIsNotKept(t *testing.T) {
	t.Parallel()
	o := &owner{name: "a", m: New(Options{Log: &fakeLog{}})}
	long := []json.RawMessage{make([]byte, maxSaved+1)}
	fresh, sums := o.unsaved(shelf{}, model.SavedCatalogue{}, []listed{{kind: model.ListTools, list: client.List{Items: long}}})
	want := map[model.ListKind][]json.RawMessage{model.ListTools: {}, model.ListResources: {}, model.ListTemplates: {}, model.ListPrompts: {}}
	if !reflect.DeepEqual(fresh, want) || sums[model.ListTools] != sumOf(long) {
		t.Errorf("kept %d lists, sums %v", len(fresh), sums)
	}
}
