package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	// turnSteps is how often the model of a turn answers with a call.
	turnSteps = 30
	// chunkBar is for the time from a call's chunk to the call's arrival.
	chunkBar = 3 * time.Millisecond
	// longChat is a chat's length in messages, openBar how long its first page takes.
	longChat = 10_000
	openBar  = 200 * time.Millisecond
	// manyTurns run at once; each may take as much of the machine as one alone.
	manyTurns    = 50
	manyTurnsBar = 1
	turnLimit    = time.Minute
)

// benchTurns measures chats with a language model that answers at once. Model and
// server are in this process, so that one clock measures both.
func benchTurns(ctx context.Context, b bench) error {
	m := &languageModel{}
	provider := httptest.NewServer(m)
	defer provider.Close()
	server := httptest.NewServer(m.noted(peerHandler()))
	defer server.Close()
	return withKontor(ctx, b, func(k *kontor) error {
		c, err := listenToTurns(ctx, k)
		if err != nil {
			return err
		}
		defer c.close()
		if err := c.prepare(ctx, provider.URL, server.URL); err != nil {
			return err
		}
		if err := benchChunk(ctx, b, c, m); err != nil {
			return err
		}
		if err := benchLongChat(ctx, b, c); err != nil {
			return err
		}
		return benchManyTurns(ctx, b, c)
	})
}

// prepare adds the model, the server, and the rule that its tool may run.
func (c *chats) prepare(ctx context.Context, model, server string) error {
	if err := c.add(ctx, map[string]any{"name": "bench", "url": server}); err != nil {
		return err
	}
	if err := c.awaitTools(ctx, 1); err != nil {
		return err
	}
	if _, err := c.do(ctx, http.MethodPost, "/api/policies", []byte(`{"server":"bench","action":"allow"}`)); err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{"name": "bench", "provider": "openai", "base_url": model + "/v1", "model": "bench", "default": true})
	if err != nil {
		return err
	}
	_, err = c.do(ctx, http.MethodPost, "/api/models", config)
	return err
}

// benchChunk measures from the chunk with a call to the call's arrival.
func benchChunk(ctx context.Context, b bench, c *chats, m *languageModel) error {
	var times []time.Duration
	for i := range b.rounds + 1 {
		if err := c.turn(ctx, plan{turnSteps, 1, "mcp__bench__" + toolName}); err != nil {
			return err
		}
		if round := m.take(); i > 0 { // the first warms up
			times = append(times, round...)
		}
	}
	if want := b.rounds * turnSteps; len(times) != want {
		return fmt.Errorf("%d calls have arrived, want %d", len(times), want)
	}
	b.report.time("a call's chunk to its arrival, p50", percentile(times, .5), chunkBar)
	b.report.time("a call's chunk to its arrival, p99", percentile(times, .99), 0)
	return nil
}

// benchLongChat measures how long the first page of a long chat takes: what a browser
// asks for to open it.
func benchLongChat(ctx context.Context, b bench, c *chats) error {
	id, err := c.newChat(ctx)
	if err != nil {
		return err
	}
	// A tool that there isn't costs a message and no more.
	const calls, steps = 500, 4
	for n := 0; n < longChat; n += (calls + 1) * steps {
		if err := c.say(ctx, id, plan{steps, calls, "nothing"}); err != nil {
			return err
		}
	}
	var times []time.Duration
	for range b.rounds * 3 {
		begun := time.Now()
		for _, path := range []string{"", "/messages"} {
			if _, err := c.do(ctx, http.MethodGet, "/api/sessions/"+id+path, nil); err != nil {
				return err
			}
		}
		times = append(times, time.Since(begun))
	}
	b.report.time(fmt.Sprintf("open a chat of %d messages, p50", longChat), percentile(times, .5), openBar)
	return nil
}

// benchManyTurns compares a turn's time alone with its share of the time of many at
// once.
func benchManyTurns(ctx context.Context, b bench, c *chats) error {
	p := plan{turnSteps, 1, "mcp__bench__" + toolName}
	const alone = 5
	var aloneTime, manyTime time.Duration
	// One after the other before and after, so that whatever else the machine does
	// meets both.
	for _, n := range []int{1, manyTurns, 1} {
		begun := time.Now()
		group, inGroup := errgroup.WithContext(ctx)
		group.SetLimit(n)
		for range max(n, alone) {
			group.Go(func() error { return c.turn(inGroup, p) })
		}
		if err := group.Wait(); err != nil {
			return err
		}
		if n == 1 {
			aloneTime += time.Since(begun) / (2 * alone)
		} else {
			manyTime = time.Since(begun) / manyTurns
		}
	}
	b.report.times(fmt.Sprintf("a turn of %d calls, its share of %d at once", turnSteps, manyTurns), aloneTime, manyTime, manyTurnsBar)
	return nil
}

// turn lives through a turn of a chat of its own.
func (c *chats) turn(ctx context.Context, p plan) error {
	id, err := c.newChat(ctx)
	if err != nil {
		return err
	}
	return c.say(ctx, id, p)
}

// newChat makes a chat with the server's tools.
func (c *chats) newChat(ctx context.Context) (string, error) {
	answer, err := c.do(ctx, http.MethodPost, "/api/sessions", []byte(`{"title":"bench"}`))
	if err != nil {
		return "", err
	}
	var chat struct{ ID string }
	if err := json.Unmarshal(answer, &chat); err != nil {
		return "", err
	}
	_, err = c.do(ctx, http.MethodPut, "/api/sessions/"+chat.ID+"/grants", []byte(`{"groups":["bench"]}`))
	return chat.ID, err
}

// say sends a plan and waits until the model has followed it.
func (c *chats) say(ctx context.Context, id string, p plan) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	body, err := json.Marshal(map[string]string{"text": "PLAN" + string(text)})
	if err != nil {
		return err
	}
	ended := c.await(id)
	if _, err := c.do(ctx, http.MethodPost, "/api/sessions/"+id+"/messages", body); err != nil {
		return err
	}
	select {
	case state := <-ended:
		if state != "done" {
			return fmt.Errorf("a turn ended as %q", state)
		}
		return nil
	case <-time.After(turnLimit):
		return fmt.Errorf("a turn isn't done within %s", turnLimit)
	case <-ctx.Done():
		return ctx.Err()
	}
}
