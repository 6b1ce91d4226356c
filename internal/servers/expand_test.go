package servers

import (
	"os"
	"slices"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// fakeExpander replaces ${NAME} by the values given.
type fakeExpander map[string]string

func (f fakeExpander) Expand(text string) (expanded string, used []string, err error) {
	expanded = os.Expand(text, func(name string) string {
		v, ok := f[name]
		if !ok {
			err = model.Errorf(model.CodeMissingVariable, "${%s} has no value", name)
		}
		used = append(used, v)
		return v
	})
	return expanded, used, err
}

func TestExpandServer(t *testing.T) {
	t.Parallel()
	s := model.Server{
		Command: "${BIN}/x", Cwd: "${BIN}", URL: "http://h/${BIN}", Args: []string{"--k=${KEY}"},
		Env:         map[string]model.Value{"A": {Text: "typed-secret"}, "B": {Text: "plain", Plain: true}, "C": {Text: "p-${KEY}"}},
		Headers:     map[string]model.Value{"H": {Text: "${KEY}"}},
		BearerToken: model.Value{Text: "bearer-secret"},
	}
	got, secrets, err := expandServer(s, fakeExpander{"BIN": "/opt/bin", "KEY": "k-value"})
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]string{
		"command": {got.Command, "/opt/bin/x"}, "cwd": {got.Cwd, "/opt/bin"}, "url": {got.URL, "http://h//opt/bin"},
		"args": {got.Args[0], "--k=k-value"}, "env A": {got.Env["A"].Text, "typed-secret"},
		"env C": {got.Env["C"].Text, "p-k-value"}, "header": {got.Headers["H"].Text, "k-value"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s = %q, want %q", what, pair[0], pair[1])
		}
	}
	slices.Sort(secrets)
	if want := []string{"/opt/bin", "bearer-secret", "k-value", "p-k-value", "typed-secret"}; !slices.Equal(slices.Compact(secrets), want) {
		t.Errorf("secrets = %q, want %q", secrets, want)
	}
	if s.Args[0] != "--k=${KEY}" || s.Env["C"].Text != "p-${KEY}" {
		t.Errorf("the configuration itself has changed: %+v", s)
	}
}

func TestExpandServerNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		server model.Server
		code   model.Code
		words  string
	}{
		"args": {model.Server{Args: []string{"a", "${NOPE}"}}, model.CodeMissingVariable,
			"args: ${NOPE} has no value"},
		"env": {model.Server{Env: map[string]model.Value{"DB": {Text: "${NOPE}"}}}, model.CodeMissingVariable,
			"env DB: ${NOPE} has no value"},
		"unreadable": {model.Server{Headers: map[string]model.Value{"X-Key": {Unreadable: true}}}, codeUnreadable,
			"header X-Key can't be read with this key: type it anew"},
	}
	for name, tc := range cases {
		if _, _, err := expandServer(tc.server, fakeExpander{}); err == nil || err.Code != tc.code || err.Message != tc.words {
			t.Errorf("%s: got %+v, want %s %q", name, err, tc.code, tc.words)
		}
	}
}
