package app

import (
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"kontor.dev/kontor/internal/mcp/pages"
)

// The collector's settings, in the one place that has them.
//
// gcPercent: with the default of 100 small calls reach little over half of their
// throughput, because the live heap is small and the collector never rests. What
// it costs is memory while there is work, which giveBackMemory returns afterwards:
// the budget of 60 MiB is for a Kontor at rest.
const (
	gcPercent = 400
	restCheck = 3 * time.Second
	// atRest is how much may be allocated between two checks at rest, worthwhile
	// how much must be free to be given back.
	atRest     = 1 << 20
	worthwhile = 4 << 20
)

// TuneMemory sets the collector up; main calls it once.
func TuneMemory() { debug.SetGCPercent(gcPercent) }

// giveBackMemory returns what a busy time, or the start, has left behind to the
// system, once it is quiet, until ctx ends.
func giveBackMemory(ctx context.Context) {
	check := time.NewTicker(restCheck)
	defer check.Stop()
	var before, m runtime.MemStats
	given, dropped := false, false
	for {
		select {
		case <-ctx.Done():
			return
		case <-check.C:
		}
		runtime.ReadMemStats(&m)
		quiet := m.TotalAlloc-before.TotalAlloc < atRest
		before = m
		switch {
		case !quiet:
			given = false
			continue
		case !given && m.HeapSys-m.HeapReleased-m.HeapAlloc+garbage(m) > worthwhile:
			debug.FreeOSMemory()
			given = true
		}
		if !dropped {
			pages.Drop() // what only the start needed; once, as what is used since stays
			dropped = true
		}
	}
}

// garbage is at most what the next collection may find: all that was allocated
// since the last one.
func garbage(m runtime.MemStats) uint64 {
	live := m.NextGC / (1 + gcPercent/100)
	if m.HeapAlloc < live {
		return 0
	}
	return m.HeapAlloc - live
}
