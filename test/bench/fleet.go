package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"golang.org/x/sync/errgroup"
)

const (
	fleetServers = 50
	fleetTools   = 20 // of the bundled demo server
	fleetBar     = 1.3
	// restFor is how long Kontor has to come to rest before it is weighed.
	restFor   = 12 * time.Second
	memoryBar = 60 << 20
)

// benchFleet compares the time until fifty servers' tools are listed: from the
// start of Kontor, which has them configured, against a bare program that starts
// and lists them side by side. The last Kontor is then weighed.
func benchFleet(ctx context.Context, b bench) error {
	return inFolder(func(dir string) error {
		if err := configureFleet(ctx, b, dir); err != nil {
			return err
		}
		var bare, through []time.Duration
		rounds := (b.rounds + 1) / 2 // each takes seconds
		for i := range rounds {
			t, err := bareFleet(ctx, b)
			if err != nil {
				return err
			}
			bare = append(bare, t)
			k, t, err := startFleet(ctx, b, dir)
			if err != nil {
				return err
			}
			through = append(through, t)
			if i == rounds-1 {
				b.report.times(fmt.Sprintf("%d servers listed", fleetServers), percentile(bare, .5), percentile(through, .5), fleetBar)
				err = weigh(ctx, b, k)
			}
			if err := errors.Join(err, k.stop()); err != nil {
				return err
			}
		}
		return nil
	})
}

func configureFleet(ctx context.Context, b bench, dir string) error {
	k, err := startKontor(ctx, b, dir)
	if err != nil {
		return err
	}
	for i := range fleetServers {
		err := k.add(ctx, map[string]any{"name": fmt.Sprintf("s%d", i), "command": b.kontor, "args": []string{"server", "demo"}})
		if err != nil {
			return errors.Join(err, k.stop())
		}
	}
	return errors.Join(k.awaitTools(ctx, fleetServers*fleetTools), k.stop())
}

func startFleet(ctx context.Context, b bench, dir string) (*kontor, time.Duration, error) {
	begun := time.Now()
	k, err := startKontor(ctx, b, dir)
	if err != nil {
		return nil, 0, err
	}
	if err := k.awaitTools(ctx, fleetServers*fleetTools); err != nil {
		return nil, 0, errors.Join(err, k.stop())
	}
	return k, time.Since(begun), nil
}

// bareFleet starts and lists the servers with nothing in between.
func bareFleet(ctx context.Context, b bench) (time.Duration, error) {
	sessions := make([]*mcp.ClientSession, fleetServers)
	starting, connecting := errgroup.WithContext(ctx)
	begun := time.Now()
	for i := range sessions {
		starting.Go(func() (err error) {
			// The process lives as long as ctx, not as the group.
			if sessions[i], err = connect(connecting, overStdio(ctx, b.kontor, "server", "demo")); err != nil {
				return err
			}
			found := 0
			for _, err := range sessions[i].Tools(connecting, nil) {
				if err != nil {
					return err
				}
				found++
			}
			if found != fleetTools {
				return fmt.Errorf("%d tools, want %d", found, fleetTools)
			}
			return nil
		})
	}
	err := starting.Wait()
	took := time.Since(begun)
	var closing errgroup.Group
	for _, s := range sessions {
		if s != nil {
			closing.Go(s.Close)
		}
	}
	return took, errors.Join(err, closing.Wait())
}

// weigh tells the memory of a Kontor at rest, with its watchdog.
func weigh(ctx context.Context, b bench, k *kontor) error {
	select {
	case <-time.After(restFor):
	case <-ctx.Done():
		return ctx.Err()
	}
	m, err := memoryOf(k.pid)
	if err != nil {
		return err
	}
	what := fmt.Sprintf("at rest with %d servers of %d tools", fleetServers, fleetTools)
	b.report.memory(what+", resident", m.resident, memoryBar)
	b.report.memory("  its share of what is shared", m.proportional, 0)
	return nil
}
