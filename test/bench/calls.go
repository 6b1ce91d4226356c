package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/errgroup"
)

const (
	// mostInFlight is the most calls at one time.
	mostInFlight = 64
	// enough ends the rounds of one comparison on a machine that is too slow for all
	// of them.
	enough = 6 * time.Second
)

// caller runs the tool once and looks at its result.
type caller func(context.Context) error

// benchCalls compares calls through the REST API with calls of the SDK's client, to
// the same server, over both transports.
func benchCalls(ctx context.Context, b bench) (err error) {
	web, err := startPeer(ctx, b, roleHTTP)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, web.stop()) }()
	for _, t := range []struct {
		name      string
		transport mcp.Transport
		config    map[string]any
	}{
		{"stdio", overStdio(ctx, b.self, roleFlag, roleStdio), map[string]any{"command": b.self, "args": []string{roleFlag, roleStdio}}},
		{"http", overHTTP(web.address), map[string]any{"url": "http://" + web.address}},
	} {
		session, err := connect(ctx, t.transport)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		t.config["name"] = "bench"
		err = withKontor(ctx, b, func(k *kontor) error { return compare(ctx, b, t.name, session, k, t.config) })
		if err := errors.Join(err, session.Close()); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	return nil
}

// compare measures every size at every number of calls in flight.
func compare(ctx context.Context, b bench, transport string, session *mcp.ClientSession, k *kontor, config map[string]any) error {
	if err := k.add(ctx, config); err != nil {
		return err
	}
	if err := k.awaitTools(ctx, 1); err != nil {
		return err
	}
	for _, size := range []struct {
		name  string
		bytes int
		// bar is for the median, beginning with so many in flight.
		bar  float64
		from int
	}{{"small", small, 1.8, 8}, {"1 MiB", large, 1.4, 1}} {
		for _, inFlight := range []int{1, 8, mostInFlight} {
			bare, through, err := alternate(ctx, b, inFlight, direct(session, size.bytes), k.caller(size.bytes))
			if err != nil {
				return err
			}
			bar := size.bar
			if inFlight < size.from {
				bar = 0
			}
			what := fmt.Sprintf("tools/call %s, %s, %d in flight", transport, size.name, inFlight)
			b.report.times(what+", p50", percentile(bare, .5), percentile(through, .5), bar)
			b.report.times(what+", p99", percentile(bare, .99), percentile(through, .99), 0)
		}
	}
	return nil
}

// alternate makes rounds of both kinds in turn, so that whatever else the machine
// does meets both. The first round of each warms up.
func alternate(ctx context.Context, b bench, inFlight int, bare, through caller) (bareTimes, throughTimes []time.Duration, err error) {
	begun := time.Now()
	for i := 0; i <= b.rounds && (i < 2 || time.Since(begun) < enough); i++ {
		bareRound, err := round(ctx, b.round, inFlight, bare)
		if err != nil {
			return nil, nil, err
		}
		throughRound, err := round(ctx, b.round, inFlight, through)
		if err != nil {
			return nil, nil, err
		}
		if i > 0 {
			bareTimes, throughTimes = append(bareTimes, bareRound...), append(throughTimes, throughRound...)
		}
	}
	return bareTimes, throughTimes, nil
}

// round keeps so many calls in flight for a while and returns how long each took.
func round(ctx context.Context, length time.Duration, inFlight int, call caller) ([]time.Duration, error) {
	times := make([][]time.Duration, inFlight)
	group, ctx := errgroup.WithContext(ctx)
	end := time.Now().Add(length)
	for i := range inFlight {
		group.Go(func() error {
			for begun := time.Now(); begun.Before(end); begun = time.Now() {
				if err := call(ctx); err != nil {
					return err
				}
				times[i] = append(times[i], time.Since(begun))
			}
			return nil
		})
	}
	err := group.Wait()
	var all []time.Duration
	for _, t := range times {
		all = append(all, t...)
	}
	return all, err
}

// caller calls the tool through the REST API, and takes the result out of the
// answer as the SDK's client does.
func (k *kontor) caller(size int) caller {
	body := fmt.Appendf(nil, `{"name":"mcp__bench__%s","arguments":{"bytes":%d},"wait_ms":60000}`, toolName, size)
	return func(ctx context.Context) error {
		answer, err := k.do(ctx, http.MethodPost, "/api/tools/call", body)
		if err != nil {
			return err
		}
		var call struct {
			State, Result string
			Error         json.RawMessage
		}
		if err := json.Unmarshal(answer, &call); err != nil {
			return err
		}
		if call.State != "done" || len(call.Result) != size {
			return fmt.Errorf("the call is %s with %d bytes, want done with %d: %s", call.State, len(call.Result), size, call.Error)
		}
		return nil
	}
}
