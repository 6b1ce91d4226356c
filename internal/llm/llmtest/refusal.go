package llmtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Refusal is an answer with an error status and what must become of it. The body
// may hold KEY, which stands for the key that was sent.
type Refusal struct {
	Name, Body string
	Status     int
	RetryAfter string
	Want       model.Code
	WantWait   time.Duration
}

// common are refusals that don't come from the provider but from what stands
// before it.
func common() []Refusal {
	return []Refusal{
		{Name: "a page of a proxy", Status: 503, Body: "<html><h1>KEY</h1></html>", Want: llm.CodeOverloaded},
		{Name: "no body", Status: 500, Want: llm.CodeOverloaded},
		{Name: "a plain 401", Status: 401, Body: "who is KEY?", Want: llm.CodeKeyRefused},
		{Name: "half a JSON body", Status: 429, RetryAfter: "2.5", Body: `{"error":{"mess`, Want: llm.CodeRateLimited, WantWait: 2500 * time.Millisecond},
		{Name: "a wait of centuries", Status: 429, RetryAfter: "1e300", Want: llm.CodeRateLimited, WantWait: 24 * time.Hour},
		{Name: "another status", Status: 418, Body: `{"detail":[{"loc":["body"],"msg":"KEY"}]}`, Want: llm.CodeBadRequest},
		{Name: "a JSON null", Status: 400, Body: `null`, Want: llm.CodeBadRequest},
	}
}

func (d Dialect) refused(t *testing.T, r Refusal) {
	p := d.serve(t, func(w http.ResponseWriter, _ *http.Request) {
		if r.RetryAfter != "" {
			w.Header().Set("Retry-After", r.RetryAfter)
		}
		w.Header().Set("X-Request-Id", "req-"+Canary)
		w.WriteHeader(r.Status)
		_, _ = io.WriteString(w, strings.ReplaceAll(r.Body, "KEY", Canary))
	}, 0)
	o := Collect(t.Context(), p, Hello())
	if got := model.CodeOf(o.Err); got != r.Want {
		t.Errorf("got %q (%v), want %q", got, o.Err, r.Want)
	}
	if got := llm.RetryAfter(o.Err); got != r.WantWait {
		t.Errorf("got a wait of %v, want %v", got, r.WantWait)
	}
	if e, ok := errors.AsType[*model.Error](o.Err); ok && r.WantWait > 0 && !strings.Contains(e.Fix, "try again in ") {
		t.Errorf("it doesn't say how long to wait: %q", e.Fix)
	}
	wantNoKey(t, o.Err)
}

// wantNoKey looks for the key wherever an error may be printed.
func wantNoKey(t *testing.T, err error) {
	t.Helper()
	var log bytes.Buffer
	for e := err; e != nil; {
		for _, l := range []slog.Handler{slog.NewJSONHandler(&log, nil), slog.NewTextHandler(&log, nil)} {
			slog.New(l).Error("failed", "err", e)
		}
		fmt.Fprintf(&log, "%v %+v %#v %q\n", e, e, e, e)
		u, ok := e.(interface{ Unwrap() error })
		if !ok {
			break
		}
		e = u.Unwrap()
	}
	if e, ok := err.(*model.Error); ok {
		_ = json.NewEncoder(&log).Encode(e)
	} else {
		t.Errorf("got a %T, want *model.Error", err)
	}
	if strings.Contains(log.String(), Canary) {
		t.Errorf("the key is in the error:\n%s", log.String())
	}
}
