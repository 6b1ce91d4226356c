package llm_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/llmtest"
	"kontor.dev/kontor/internal/llm/scripted"
	"kontor.dev/kontor/internal/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func refusal(code model.Code, after time.Duration) scripted.Step {
	return scripted.Fail{Err: &model.Error{Code: code, Message: "no", Err: &llm.Refusal{Status: 429, RetryAfter: after}}}
}

func turns(steps ...[]scripted.Step) scripted.Script {
	var s scripted.Script
	for _, list := range steps {
		s.Turns = append(s.Turns, scripted.Turn{Steps: list})
	}
	return s
}

func TestRetryRepeatsOnlyWhatWasRefusedBeforeItBegan(t *testing.T) {
	t.Parallel()
	ok := []scripted.Step{scripted.Say{Text: "ok"}}
	for name, c := range map[string]struct {
		script   scripted.Script
		requests int
		code     model.Code // "" for an answer
		waits    []time.Duration
	}{
		"an answer":                {turns(ok), 1, "", nil},
		"a rate limit":             {turns([]scripted.Step{refusal(llm.CodeRateLimited, 7*time.Second)}, ok), 2, "", []time.Duration{7 * time.Second}},
		"overload, twice":          {turns([]scripted.Step{refusal(llm.CodeOverloaded, 0)}, []scripted.Step{refusal(llm.CodeUnreachable, 0)}, ok), 3, "", []time.Duration{time.Second, 2 * time.Second}},
		"overload, for good":       {turns([]scripted.Step{refusal(llm.CodeOverloaded, 0)}, []scripted.Step{refusal(llm.CodeOverloaded, 0)}, []scripted.Step{refusal(llm.CodeOverloaded, 0)}, ok), 3, llm.CodeOverloaded, []time.Duration{time.Second, 2 * time.Second}},
		"a wait that is too long":  {turns([]scripted.Step{refusal(llm.CodeRateLimited, time.Hour)}, ok), 1, llm.CodeRateLimited, nil},
		"a wrong key":              {turns([]scripted.Step{refusal(llm.CodeKeyRefused, 0)}, ok), 1, llm.CodeKeyRefused, nil},
		"overload after a word":    {turns([]scripted.Step{scripted.Say{Text: "a"}, refusal(llm.CodeOverloaded, 0)}, ok), 1, llm.CodeOverloaded, nil},
		"overload after a thought": {turns([]scripted.Step{scripted.Think{Text: "a"}, refusal(llm.CodeOverloaded, 0)}, ok), 1, llm.CodeOverloaded, nil},
		"a cut stream":             {turns([]scripted.Step{refusal(llm.CodeCutStream, 0)}, ok), 1, llm.CodeCutStream, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := scripted.New(c.script)
				var waits []time.Duration
				var last error
				start := time.Now()
				for e, err := range llm.Retry(p, llm.DefaultRetries()).Stream(t.Context(), llm.Request{}) {
					if r, ok := e.(llm.Retrying); ok {
						waits = append(waits, r.Wait)
					}
					last = err
				}
				if got := len(p.Requests()); got != c.requests {
					t.Errorf("got %d requests, want %d", got, c.requests)
				}
				if (last == nil) != (c.code == "") || last != nil && model.CodeOf(last) != c.code {
					t.Errorf("got %v, want %q", last, c.code)
				}
				var whole time.Duration
				near := slices.EqualFunc(waits, c.waits, func(got, want time.Duration) bool { whole += got; return got >= want && got <= want*11/10 })
				if !near || time.Since(start) != whole {
					t.Errorf("got waits %v in %v, want near %v", waits, time.Since(start), c.waits)
				}
			})
		})
	}
}

func TestRetryStopsWaitingWhenStopped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := scripted.New(turns([]scripted.Step{refusal(llm.CodeRateLimited, 50*time.Second)}))
		ctx, stop := context.WithTimeoutCause(t.Context(), time.Second, errors.New("pressed"))
		defer stop()
		o := llmtest.Collect(ctx, llm.Retry(p, llm.DefaultRetries()), llm.Request{})
		if model.CodeOf(o.Err) != model.CodeCancelled || len(p.Requests()) != 1 {
			t.Errorf("got %v after %d requests", o.Err, len(p.Requests()))
		}
	})
}

// left counts how often its stream ended.
type left struct {
	llm.Provider
	ended int
}

func (l *left) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		defer func() { l.ended++ }()
		l.Provider.Stream(ctx, r)(yield)
	}
}

func TestLeavingTheLoopLeavesTheProvidersToo(t *testing.T) {
	t.Parallel()
	l := &left{Provider: scripted.New(turns([]scripted.Step{scripted.Say{Text: "a"}, scripted.Say{Text: "b"}}))}
	for range llm.Retry(l, llm.DefaultRetries()).Stream(t.Context(), llm.Request{}) {
		break
	}
	if l.ended != 1 {
		t.Errorf("the provider's stream ended %d times, want once", l.ended)
	}
}
