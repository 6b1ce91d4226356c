package llm

import (
	"context"
	"iter"
	"math/rand/v2"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Retries says how often and how patiently a refused request is sent again.
type Retries struct {
	// Attempts is how often a request is sent at most; below 2 is once.
	Attempts int
	// First is the wait after the first refusal when the provider names none; it
	// doubles each time.
	First time.Duration
	// Longest is the longest wait. A provider that asks for more is believed, and
	// the refusal goes to the person.
	Longest time.Duration
}

// DefaultRetries is two more attempts, within two minutes.
func DefaultRetries() Retries {
	return Retries{Attempts: 3, First: time.Second, Longest: time.Minute}
}

// wait decides what follows attempt (from 1) that failed with err: how long to
// wait before the next one, or false. Only refusals that say "later" and
// connections that never came to be are repeated.
func (r Retries) wait(attempt int, err error) (time.Duration, bool) {
	if attempt >= r.Attempts {
		return 0, false
	}
	switch model.CodeOf(err) {
	case CodeRateLimited, CodeOverloaded, CodeUnreachable:
	default:
		return 0, false
	}
	if asked := RetryAfter(err); asked > 0 {
		return asked, asked <= r.Longest
	}
	wait := r.First
	for range attempt - 1 {
		wait = min(2*wait, r.Longest)
	}
	return min(wait, r.Longest), true
}

// retrying is a Provider that is patient.
type retrying struct {
	Provider
	retries Retries
}

// Retry returns p, with requests sent again that were refused before anything of
// an answer had come: rate limits, overload, no connection. A model is asked to
// write, not to act, so that asking twice costs at most money; but what was shown
// to a person is never begun anew behind their back, so a stream that broke off
// is an error. Each wait is told as Retrying.
func Retry(p Provider, r Retries) Provider { return &retrying{Provider: p, retries: r} }

// Stream implements Provider.
func (p *retrying) Stream(ctx context.Context, r Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for attempt := 1; ; attempt++ {
			refused, goOn := p.try(ctx, r, yield)
			if !goOn || refused == nil {
				return
			}
			wait, again := p.retries.wait(attempt, refused)
			if !again {
				yield(nil, refused)
				return
			}
			wait += jitter(wait)
			if !yield(Retrying{Attempt: attempt, Wait: wait, Err: refused}, nil) {
				return
			}
			if err := sleep(ctx, wait); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// try streams once. It returns the error that came before any event, and whether
// the reader wants more.
func (p *retrying) try(ctx context.Context, r Request, yield func(Event, error) bool) (refused error, goOn bool) {
	begun := false
	for e, err := range p.Provider.Stream(ctx, r) {
		if err != nil && !begun {
			return err, true
		}
		begun = true
		if !yield(e, err) {
			return nil, false
		}
	}
	return nil, true
}

// jitter keeps many turns that were refused together from coming back together.
func jitter(wait time.Duration) time.Duration {
	if wait <= 0 {
		return 0
	}
	return rand.N(wait/10 + 1)
}

func sleep(ctx context.Context, wait time.Duration) error {
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return Cancelled(ctx)
	}
}

// Cancelled is the error of a stream whose ctx is done.
func Cancelled(ctx context.Context) error {
	return &model.Error{Code: model.CodeCancelled, Message: "The answer was stopped.", Err: context.Cause(ctx)}
}
