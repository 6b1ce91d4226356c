package llmtest

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// List checks what a provider makes of a list of models, asked for at path.
func List(t *testing.T, d Dialect, path, body string, want []model.OfferedModel) {
	t.Helper()
	got, err := listed(t, d, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != path {
			t.Errorf("%s %s, want GET %s", r.Method, r.URL.Path, path)
		}
		if !strings.Contains(r.Header.Get("Authorization")+r.Header.Get("X-Api-Key"), Canary) {
			t.Error("the key was not sent")
		}
		answer(w, http.StatusOK, body)
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   model.Code
	}{
		"a refused key":    {http.StatusUnauthorized, `{"error":{"message":"who is ` + Canary + `?"}}`, llm.CodeKeyRefused},
		"no such path":     {http.StatusNotFound, "404 page not found", model.CodeNotFound},
		"no such resource": {http.StatusNotFound, `{"error":"model not found"}`, model.CodeNotFound},
		"trouble":          {http.StatusServiceUnavailable, "", llm.CodeOverloaded},
		"half a list":      {http.StatusOK, body[:len(body)/2], model.CodeProtocol},
		"another thing":    {http.StatusOK, "hello, " + Canary, model.CodeProtocol},
		"a list too long":  {http.StatusOK, `{"data":[{"id":"` + strings.Repeat("a", 9<<20) + `"}]}`, model.CodeProtocol},
	} {
		_, err := listed(t, d, func(w http.ResponseWriter, _ *http.Request) { answer(w, c.status, c.body) })
		if model.CodeOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
		if e, ok := errors.AsType[*model.Error](err); ok {
			wantNoKey(t, e)
		}
	}
}

func listed(t *testing.T, d Dialect, h http.HandlerFunc) ([]model.OfferedModel, error) {
	t.Helper()
	lister, ok := d.serve(t, h, 0).(llm.Lister)
	if !ok {
		t.Fatal("it isn't an llm.Lister")
	}
	return lister.Models(t.Context())
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}
