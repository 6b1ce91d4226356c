package servers

import (
	"context"
	"errors"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestVerify(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		dial   dialFunc
		args   []string
		stages string
		code   model.Code
	}{
		"works":            {works, nil, "parse variables spawn era handshake lists", ""},
		"missing variable": {works, []string{"${NOPE}"}, "parse variables!", model.CodeMissingVariable},
		"fails": {func(context.Context, model.Server) (*fakeClient, error) { return nil, errors.New("no") }, nil,
			"parse variables spawn!", model.CodeServerUnavailable},
		"sign-in counts as started": {func(context.Context, model.Server) (*fakeClient, error) {
			return nil, model.Errorf(model.CodeNeedsSignIn, "sign in")
		}, nil, "parse variables spawn!", model.CodeNeedsSignIn},
		"no list": {func(context.Context, model.Server) (*fakeClient, error) {
			c := newFakeClient()
			c.lists = func(context.Context, model.ListKind) (client.List, error) { return client.List{}, errors.New("no") }
			return c, nil
		}, nil, "parse variables spawn era handshake lists!", model.CodeServerUnavailable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var opened *fakeClient
			r := newRig(t, func(ctx context.Context, s model.Server) (*fakeClient, error) {
				c, err := tc.dial(ctx, s)
				opened = c
				return c, err
			})
			s := config("a")
			s.Args = tc.args
			report := r.Verify(ctx, s)
			if got := shown(report); got != tc.stages {
				t.Errorf("got %q, want %q", got, tc.stages)
			}
			var code model.Code
			if report.Err != nil {
				code = report.Err.Code
			}
			if code != tc.code || report.Started() != (tc.code == "" || tc.code == model.CodeNeedsSignIn) {
				t.Errorf("got %q, started %v, want %q", code, report.Started(), tc.code)
			}
			if opened != nil && !opened.isClosed() {
				t.Error("the connection stays open")
			}
			if len(r.List()) > 0 {
				t.Error("the server is kept")
			}
		})
	}
}

// shown are the stages that were reached; the one that failed has a mark.
func shown(r Report) string {
	var names []string
	for _, st := range r.Stages {
		switch {
		case st.OK:
			names = append(names, st.Name)
		case st.Code != CodeNotReached:
			names = append(names, st.Name+"!")
		}
	}
	return strings.Join(names, " ")
}
