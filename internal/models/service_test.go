package models_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/models"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const planted = "planted-key-0123456789"

// rig is a service on a real database.
type rig struct {
	*models.Service
	redactor  *secret.Redactor
	variables map[string]string

	mu   sync.Mutex
	news []model.Event
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{redactor: &secret.Redactor{}, variables: map[string]string{}}
	var err error
	r.Service, err = models.New(t.Context(), models.Options{
		Store: storetest.New(t), Redactor: r.redactor,
		Expander: secret.Expander{Lookup: func(name string) (string, bool) { v, ok := r.variables[name]; return v, ok }},
		HTTPClient: func(string) (*http.Client, error) {
			return &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, nil
		},
		Publish: func(e model.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.news = append(r.news, e)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) add(t *testing.T, m model.LanguageModel) model.LanguageModel {
	t.Helper()
	m, err := r.Add(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// endpoint is an OpenAI-compatible one that streams an answer, or refuses. It tells
// the keys that came.
func endpoint(t *testing.T, status int, body string) (address string, keys func() []string) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Header.Get("Authorization"))
		mu.Unlock()
		if status == http.StatusOK {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

const hello = `data: {"choices":[{"index":0,"delta":{"content":"Hello!"},"finish_reason":"stop"}]}

data: [DONE]

`

func remote(address string) model.LanguageModel {
	return model.LanguageModel{Name: "remote", Provider: model.ProviderOpenAI, BaseURL: address, Model: "m", APIKey: model.Value{Text: planted}}
}

func played(script string) model.LanguageModel {
	return model.LanguageModel{Name: "played", Provider: model.ProviderScripted, Script: script}
}

// answer is what a provider says to anything.
func answer(t *testing.T, p llm.Provider) string {
	t.Helper()
	var text strings.Builder
	for e, err := range p.Stream(t.Context(), llm.Request{Model: "m"}) {
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := e.(llm.TextDelta); ok {
			text.WriteString(d.Text)
		}
	}
	return text.String()
}

func provider(t *testing.T, r *rig, name string) llm.Provider {
	t.Helper()
	p, _, err := r.Provider(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWithoutAModelTheWayOutIsSaid(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for name, want := range map[string]string{"": "No language model", "gone": "“gone”"} {
		_, _, err := r.Provider(t.Context(), name)
		if model.CodeOf(err) != model.CodeNotFound || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestAProviderGetsItsKeyAndStaysUntilItsSettingsChange(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	address, keys := endpoint(t, http.StatusOK, hello)
	m := remote("${HOST}")
	m.APIKey = model.Value{Text: "${KEY}"}
	r.variables["HOST"], r.variables["KEY"] = address, planted
	m = r.add(t, m)
	first := provider(t, r, "")
	if got := answer(t, first); got != "Hello!" {
		t.Errorf("got %q", got)
	}
	if provider(t, r, m.Name) != first {
		t.Error("the same settings gave another provider")
	}
	r.variables["KEY"] = planted + "2"
	if provider(t, r, m.Name) == first {
		t.Error("another key gave the same provider")
	}
	answer(t, provider(t, r, m.Name))
	if got, want := keys(), []string{"Bearer " + planted, "Bearer " + planted + "2"}; !slices.Equal(got, want) {
		t.Errorf("keys %q, want %q", got, want)
	}
	if got := r.redactor.Redact(planted + "2 and " + planted); strings.Contains(got, planted) {
		t.Errorf("not masked: %s", got)
	}
	delete(r.variables, "KEY")
	if _, _, err := r.Provider(t.Context(), ""); model.CodeOf(err) != model.CodeMissingVariable || !strings.Contains(err.Error(), "api_key: ${KEY}") {
		t.Errorf("a missing variable: %v", err)
	}
}

func TestAScriptGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	m := r.add(t, played("turn\nsay a\nturn\nsay b\nend over"))
	if got := answer(t, provider(t, r, "")) + answer(t, provider(t, r, "played")); got != "ab" {
		t.Errorf("got %q, want ab", got)
	}
	m.Script = "turn\nsay new"
	if _, err := r.Replace(t.Context(), "played", m); err != nil {
		t.Fatal(err)
	}
	if got := answer(t, provider(t, r, "")); got != "new" {
		t.Errorf("after a change: got %q, want new", got)
	}
}

func TestChangesAreCheckedKeptAndTold(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	m := r.add(t, remote("http://127.0.0.1:1/v1"))
	if !m.Default || m.CreatedAt.IsZero() || m.APIKey.Text != planted {
		t.Errorf("added: %+v", m)
	}
	for name, bad := range map[string]model.LanguageModel{
		"no name": {}, "a script": played("shout"), "an address": {Name: "x", Provider: "openai", Model: "m", BaseURL: "x"},
	} {
		if _, err := r.Add(t.Context(), bad); model.CodeOf(err) != model.CodeInvalid {
			t.Errorf("%s: %v, want invalid", name, err)
		}
	}
	if _, err := r.Add(t.Context(), m); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("twice: %v, want a conflict", err)
	}
	m.Name, m.UpdatedAt = "renamed", time.Time{}
	if got, err := r.Replace(t.Context(), "remote", m); err != nil || got.Name != "renamed" || got.CreatedAt != m.CreatedAt || got.UpdatedAt.IsZero() {
		t.Errorf("Replace: %+v, %v", got, err)
	}
	if err := r.Delete(t.Context(), "renamed"); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Get(t.Context(), "renamed"); model.CodeOf(err) != model.CodeNotFound {
		t.Errorf("after Delete: %v", err)
	}
	if len(r.news) != 3 {
		t.Errorf("told %d times, want 3: %v", len(r.news), r.news)
	}
}

func TestATrialTellsHowItWent(t *testing.T) {
	t.Parallel()
	good, keys := endpoint(t, http.StatusOK, hello)
	refusing, _ := endpoint(t, http.StatusUnauthorized, `{"error":{"message":"Incorrect API key provided: `+planted+`","code":"invalid_api_key"}}`)
	busy, asked := endpoint(t, http.StatusTooManyRequests, `{"error":{"message":"slow down"}}`)
	for name, c := range map[string]struct {
		m    model.LanguageModel
		said string
		code model.Code
	}{
		"a model":     {remote(good), "Hello!", ""},
		"a script":    {played("turn\nsay Hi."), "Hi.", ""},
		"the demo":    {played(""), "I am a script, no model. Write “show me” to see tools, an approval, a form, a picture and a sub-agent.", ""},
		"a tool":      {played("turn\ncall trial"), "[it called the tool for this trial]", ""},
		"a wrong key": {remote(refusing), "", llm.CodeKeyRefused},
		"busy":        {remote(busy), "", llm.CodeRateLimited},
		"half":        {played("turn\nsay Half\nfail overloaded Busy."), "Half", llm.CodeOverloaded},
		"nobody":      {remote("http://127.0.0.1:1/v1"), "", llm.CodeUnreachable},
		"invalid":     {remote("nonsense"), "", model.CodeInvalid},
		"unreadable":  {model.LanguageModel{Name: "x", Provider: "openai", Model: "m", APIKey: model.Value{Unreadable: true}}, "", "secret_unreadable"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newRig(t).Try(t.Context(), c.m)
			if got.OK != (c.code == "") || got.Said != c.said || got.OK && got.Took <= 0 {
				t.Errorf("got %+v", got)
			}
			switch {
			case c.code == "":
			case got.Error == nil || got.Error.Code != c.code:
				t.Errorf("got error %v, want %s", got.Error, c.code)
			case strings.Contains(got.Error.Message+got.Error.Fix, planted):
				t.Errorf("the key is in %+v", got.Error)
			}
		})
	}
	t.Cleanup(func() {
		if got := keys(); len(got) != 1 || got[0] != "Bearer "+planted {
			t.Errorf("keys %q", got)
		}
		if n := len(asked()); n != 1 {
			t.Errorf("a refused trial was sent %d times", n)
		}
	})
}

// empty is a store without models.
type empty struct{ models.Store }

func (empty) LanguageModels(context.Context) ([]model.LanguageModel, error) { return nil, nil }

func TestATrialThatIsSlowEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := models.New(t.Context(), models.Options{Store: empty{}, Redactor: &secret.Redactor{}, Expander: secret.Expander{}})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		got := s.Try(t.Context(), played("turn\nsay Half\npause 1h"))
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("it took %v", took)
		}
		if got.OK || got.Said != "Half" || got.Error == nil || got.Error.Code != model.CodeTimeout || got.Error.Fix == "" {
			t.Errorf("got %+v", got)
		}
	})
}
