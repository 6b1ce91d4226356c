package models_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/models"
	"kontor.dev/kontor/internal/secret"
)

// lister is an OpenAI-compatible endpoint that lists models to the planted key.
func lister(t *testing.T, body string) model.LanguageModel {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+planted {
			w.WriteHeader(http.StatusUnauthorized)
			body = `{"error":{"message":"wrong key: ` + r.Header.Get("Authorization") + `"}}`
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return model.LanguageModel{Provider: model.ProviderOpenAI, BaseURL: server.URL + "/v1", APIKey: model.Value{Text: planted}}
}

func TestTheModelsOfAProviderAreOffered(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	m := lister(t, `{"data":[{"id":"b"},{"id":"a","context_length":8192},{"id":""},{"id":"b"},{"id":"x\u0007"},{"id":"`+strings.Repeat("l", 201)+`"}]}`)
	got, err := r.Offered(t.Context(), m)
	if want := []model.OfferedModel{{ID: "a", ContextTokens: 8192}, {ID: "b"}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got := r.redactor.Redact(planted); got == planted {
		t.Error("the key is not masked")
	}
}

func TestWhyNoModelsAreOfferedIsSaid(t *testing.T) {
	t.Parallel()
	refused := lister(t, `{"data":[]}`)
	refused.APIKey.Text = planted + "-wrong"
	nowhere := remote("http://127.0.0.1:1/v1")
	missing := lister(t, "")
	missing.APIKey.Text = "${KEY}"
	for name, c := range map[string]struct {
		m    model.LanguageModel
		want model.Code
	}{
		"a key that is refused": {refused, llm.CodeKeyRefused},
		"nobody there":          {nowhere, llm.CodeUnreachable},
		"an empty list":         {lister(t, `{"data":[]}`), model.CodeNotFound},
		"a missing secret":      {missing, model.CodeMissingVariable},
		"no address":            {model.LanguageModel{Provider: model.ProviderOpenAI, BaseURL: "nonsense"}, model.CodeInvalid},
		"a script":              {model.LanguageModel{Provider: model.ProviderScripted}, model.CodeInvalid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := newRig(t).Offered(t.Context(), c.m)
			if err == nil || err.Code != c.want || len(got) > 0 {
				t.Fatalf("got %v, %v, want %s", got, err, c.want)
			}
			if err.Message == "" || strings.Contains(err.Message+err.Fix, planted) {
				t.Errorf("it says %q, %q", err.Message, err.Fix)
			}
		})
	}
}

// deaf never answers.
type deaf struct{}

func (deaf) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestAListThatIsSlowEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, err := models.New(t.Context(), models.Options{
			Store: empty{}, Redactor: &secret.Redactor{}, Expander: secret.Expander{},
			HTTPClient: func(string) (*http.Client, error) { return &http.Client{Transport: deaf{}}, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		_, slow := s.Offered(t.Context(), remote("http://127.0.0.1:1/v1"))
		if took := time.Since(began); took != 15*time.Second || slow == nil || slow.Code != model.CodeTimeout {
			t.Errorf("got %v after %v", slow, took)
		}
	})
}
