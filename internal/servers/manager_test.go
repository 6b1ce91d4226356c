package servers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

var ctx = context.Background()

// works connects to a fresh client each time.
func works(context.Context, model.Server) (*fakeClient, error) { return newFakeClient(), nil }

func TestOneServerCannotHurtAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var configs []model.Server
		for i := range 50 {
			configs = append(configs, config(fmt.Sprintf("s%02d", i)))
		}
		start := time.Now()
		r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
			switch s.Name {
			case "s07":
				<-ctx.Done()
				return nil, &client.StartError{Stage: client.StageInitialize, Err: context.Cause(ctx)}
			case "s23":
				return nil, errors.New("it crashed")
			}
			return works(ctx, s)
		}, configs...)
		synctest.Wait()
		count := map[model.ServerState]int{}
		for _, v := range r.List() {
			count[v.Status.State]++
		}
		if count[model.ServerReady] != 48 || count[model.ServerConnecting] != 1 || count[model.ServerFailed] != 1 {
			t.Errorf("states = %v", count)
		}
		if waited := time.Since(start); waited > 0 {
			t.Errorf("the others waited %v", waited)
		}
		time.Sleep(model.DefaultStartTimeout)
		synctest.Wait()
		if e := r.state(t, "s07").LastError; e == nil || e.Message != "the server did not answer initialize within 2 min" {
			t.Errorf("the silent one: %+v", e)
		}
	})
}

func TestAddChangeDisableDeleteActAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, works)
		v, err := r.Add(ctx, config("a"))
		if err != nil || v.Status.State != model.ServerConnecting || v.Config.CreatedAt.IsZero() {
			t.Fatalf("added: %+v, %v", v, err)
		}
		if _, err := r.Add(ctx, config("a")); model.CodeOf(err) != model.CodeConflict {
			t.Errorf("added twice: %v", err)
		}
		synctest.Wait()
		if _, err := r.SetEnabled(ctx, "a", false); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Conn(ctx, "a"); model.CodeOf(err) != model.CodeDisabled {
			t.Errorf("a connection to a disabled one: %v", err)
		}
		if _, err := r.Reconnect("a"); model.CodeOf(err) != model.CodeDisabled {
			t.Errorf("reconnecting a disabled one: %v", err)
		}
		if _, err := r.SetEnabled(ctx, "a", true); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := r.Delete(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got, want := r.told("a"), []string{"connecting", "ready", "disabled", "connecting", "ready", "removed"}; !slices.Equal(got, want) {
			t.Errorf("news = %q, want %q", got, want)
		}
		for what, err := range map[string]error{
			"get": second(r.Get("a")), "conn": second(r.Conn(ctx, "a")), "enable": second(r.SetEnabled(ctx, "a", true)), "delete": r.Delete(ctx, "a"),
		} {
			if model.CodeOf(err) != model.CodeNotFound {
				t.Errorf("%s of a deleted one: %v", what, err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

func TestChangedSettingsReplaceOnceTheyWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var mended atomic.Bool
		r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
			if s.Command == "new" && !mended.Load() {
				return nil, errors.New("no good")
			}
			return works(ctx, s)
		}, config("a"))
		synctest.Wait()
		old := r.owner("a").serving.Load()
		changed := config("a")
		changed.Command = "new"
		if _, err := r.Update(ctx, changed, UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got, err := r.Conn(ctx, "a"); err != nil || got != old || got.client.(*fakeClient).isClosed() {
			t.Errorf("while the new settings don't work the old connection doesn't serve: %v", err)
		}
		st := r.state(t, "a")
		if st.State != model.ServerReady || st.LastError == nil || st.NextAttemptAt.IsZero() || !hasWarning(st, warnSettingsPending) {
			t.Errorf("status = %+v", st)
		}
		mended.Store(true)
		time.Sleep(time.Minute)
		synctest.Wait()
		got, err := r.Conn(ctx, "a")
		if err != nil || got == old || !old.client.(*fakeClient).isClosed() {
			t.Errorf("the new connection doesn't serve: %v", err)
		}
		if st := r.state(t, "a"); hasWarning(st, warnSettingsPending) || st.Attempts != 0 {
			t.Errorf("status = %+v", st)
		}
	})
}

func hasWarning(st model.Status, code string) bool {
	return slices.ContainsFunc(st.Warnings, func(w model.Warning) bool { return w.Code == code })
}

func TestSettingsTakenBackKeepTheConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
			if s.Command == "new" {
				return nil, errors.New("no good")
			}
			return works(ctx, s)
		}, config("a"))
		synctest.Wait()
		old := r.owner("a").serving.Load()
		changed := config("a")
		changed.Command = "new"
		for _, s := range []model.Server{changed, config("a")} {
			if _, err := r.Update(ctx, s, UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		r.dialled()
		time.Sleep(time.Hour)
		if dials := r.dialled(); len(dials) > 0 || r.owner("a").serving.Load() != old || hasWarning(r.state(t, "a"), warnSettingsPending) {
			t.Errorf("dialled %q, status %+v", dials, r.state(t, "a"))
		}
	})
}

func TestForceEndsTheConnectionFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var old *fakeClient
		r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
			if old != nil && !old.isClosed() {
				t.Error("dialled while the old one lives")
			}
			old, _ = works(ctx, s)
			return old, nil
		}, config("a"))
		synctest.Wait()
		changed := config("a")
		changed.Command = "new"
		if _, err := r.Update(ctx, changed, UpdateOptions{Force: true}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := r.Reconnect("a"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if got, want := r.dialled(), []string{"a run", "a new", "a new"}; !slices.Equal(got, want) {
			t.Errorf("dialled %q, want %q", got, want)
		}
		if got, want := r.told("a"), []string{"connecting", "ready", "connecting", "ready", "connecting", "ready"}; !slices.Equal(got, want) {
			t.Errorf("news = %q, want %q", got, want)
		}
	})
}

func TestNamesAndLimitsChangeUnderALiveConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, works, config("a"))
		synctest.Wait()
		s := config("a")
		s.FriendlyName, s.DisabledTools, s.CallTimeout = "Alpha", []string{"x"}, time.Second
		v, err := r.Update(ctx, s, UpdateOptions{})
		synctest.Wait()
		if err != nil || v.Config.FriendlyName != "Alpha" || v.Status.State != model.ServerReady || len(r.dialled()) != 1 {
			t.Errorf("got %+v, %v", v, err)
		}
		if stored := r.store.servers["a"]; stored.FriendlyName != "Alpha" {
			t.Errorf("stored %+v", stored)
		}
	})
}

func TestMissingVariableRefusesTheStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := config("a")
		s.Args = []string{"${NOPE}"}
		r := newRig(t, works, s)
		synctest.Wait()
		st := r.state(t, "a")
		if st.State != model.ServerFailed || st.LastError.Code != model.CodeMissingVariable || !strings.Contains(st.LastError.Message, "NOPE") {
			t.Errorf("status = %+v", st)
		}
		if !st.NextAttemptAt.IsZero() || len(r.dialled()) > 0 {
			t.Error("it is dialled all the same")
		}
	})
}

func TestFailedServerIsDialledWhenSomethingChangedThatMayHelp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := config("a")
		s.Args = []string{"${LATE}"}
		vars := fakeExpander{}
		r := newRigWith(t, func(o *Options) {
			o.Expander = vars
			o.Connect = func(context.Context, model.Server, client.Options) (Client, error) { return newFakeClient(), nil }
		}, s, config("b"))
		synctest.Wait()
		r.VariablesChanged()
		synctest.Wait()
		if st := r.state(t, "a"); st.State != model.ServerFailed {
			t.Fatalf("without a value: %s", st.State)
		}
		vars["LATE"] = "value"
		s.FriendlyName = "A"
		if _, err := r.Update(ctx, s, UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if st := r.state(t, "a"); st.State != model.ServerReady {
			t.Errorf("after the change: %s, %+v", st.State, st.LastError)
		}
		if n := len(r.dialled()); n != 2 {
			t.Errorf("%d dials", n)
		}
	})
}

func TestSecretsAreMaskedBeforeTheDial(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := config("a")
		s.Env = map[string]model.Value{"K": {Text: "${KEY}"}, "P": {Text: "typed-password"}}
		r := newRig(t, func(_ context.Context, s model.Server) (*fakeClient, error) {
			return nil, fmt.Errorf("it said %s and %s", s.Env["K"].Text, s.Env["P"].Text)
		}, s)
		synctest.Wait()
		if e := r.state(t, "a").LastError; e.Message != "it said ••• and •••" {
			t.Errorf("last error = %q", e.Message)
		}
		if n := r.log.count("lifecycle failed: it said ••• and •••"); n != 1 {
			t.Errorf("the log says it %d times: %q", n, r.log.lines)
		}
		if err := r.Delete(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if r.redactor.knows("typed-password") {
			t.Error("a deleted server's secrets stay in memory")
		}
	})
}
