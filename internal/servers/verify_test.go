package servers

import (
	"context"
	"errors"
	"fmt"
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
		"works":            {works, nil, "variables:true connect:true list:true", ""},
		"missing variable": {works, []string{"${NOPE}"}, "variables:false", model.CodeMissingVariable},
		"fails": {func(context.Context, model.Server) (*fakeClient, error) { return nil, errors.New("no") }, nil,
			"variables:true connect:false", model.CodeServerUnavailable},
		"sign-in counts as started": {func(context.Context, model.Server) (*fakeClient, error) {
			return nil, model.Errorf(model.CodeNeedsSignIn, "sign in")
		}, nil, "variables:true connect:false", ""},
		"no list": {func(context.Context, model.Server) (*fakeClient, error) {
			c := newFakeClient()
			c.lists = func(context.Context, model.ListKind) (client.List, error) { return client.List{}, errors.New("no") }
			return c, nil
		}, nil, "variables:true connect:true list:false", model.CodeServerUnavailable},
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
			stages, err := r.Verify(ctx, s)
			var got []string
			for _, st := range stages {
				got = append(got, fmt.Sprintf("%s:%v", st.Name, st.OK))
			}
			if strings.Join(got, " ") != tc.stages || (err != nil) != (tc.code != "") || err != nil && model.CodeOf(err) != tc.code {
				t.Errorf("got %q, %v, want %q, %s", got, err, tc.stages, tc.code)
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
