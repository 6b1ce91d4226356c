package agent

import (
	"context"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/llm"
)

// caller answers each turn with one call, then a word, and notes when it called.
type caller struct {
	mu     sync.Mutex
	called time.Time
}

func (c *caller) Stream(_ context.Context, r llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		var a llm.Answer
		if r.Messages[len(r.Messages)-1].Role == llm.FromTool {
			_, _ = a.Text("ok")
		} else {
			at, events := a.Call("", echo)
			_, _ = a.Arguments(at, `{"text":"x"}`)
			c.mu.Lock()
			c.called = time.Now()
			c.mu.Unlock()
			for _, e := range events {
				yield(e, nil)
			}
		}
		for _, e := range a.Finish(llm.ReasonStop, llm.Usage{Known: true, Input: 10, Output: 1}) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// BenchmarkCallLeaves is the time from a model's call to the call being sent.
func BenchmarkCallLeaves(b *testing.B) {
	d := newDesk(b)
	c := &caller{}
	d.models.play(c)
	var took []time.Duration
	d.calls.leaves = func() {
		c.mu.Lock()
		took = append(took, time.Since(c.called))
		c.mu.Unlock()
	}
	chat := d.chat("demo")
	for b.Loop() {
		d.say(chat, "go")
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
