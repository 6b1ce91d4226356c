// Command bench measures what Kontor adds to what it stands on, each in one run on
// one machine, because only ratios travel: tool calls through the REST API against
// the official SDK's client that calls the same server, the start of fifty servers
// against a bare program that starts them, an event on a thousand sockets against a
// bare loop over them. And it weighs Kontor at rest.
//
// It is a report: a ratio over its bar is said and is no error. What doesn't work
// is one. KONTOR_BIN names the binary to measure.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"syscall"
	"time"
)

// wholeLimit bounds the run.
const wholeLimit = 4 * time.Minute

// bench is what every measurement is given.
type bench struct {
	kontor string // the binary under test
	self   string // this program, which also plays the peers
	rounds int
	round  time.Duration
	report *report
	// profiles is a folder for the binary's CPU profiles; empty for none.
	profiles string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) == 3 && os.Args[1] == roleFlag {
		exit(play(ctx, os.Args[2]))
	}
	exit(measure(ctx))
}

func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// measure runs the measurements that the command line asks for.
func measure(ctx context.Context) error {
	b := bench{kontor: os.Getenv("KONTOR_BIN"), report: newReport(os.Stdout)}
	only := flag.String("only", "", "measure only what matches this regular `expression`: calls, fleet, fanout, turns")
	flag.IntVar(&b.rounds, "rounds", 8, "rounds of each kind")
	flag.DurationVar(&b.round, "round", 200*time.Millisecond, "how long calls are made in one round")
	flag.StringVar(&b.profiles, "cpu-profiles", "", "write the binary's CPU profiles into this `folder`")
	flag.Parse()
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	if b.kontor == "" {
		return errors.New("KONTOR_BIN must name the binary to measure: make bench")
	}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, wholeLimit)
	defer cancel()
	b.report.head(fmt.Sprintf("%s %s/%s, %d processors%s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), load()))
	for _, part := range []struct {
		name string
		run  func(context.Context, bench) error
	}{{"calls", benchCalls}, {"fleet", benchFleet}, {"fanout", benchFanout}, {"turns", benchTurns}} {
		if !wanted.MatchString(part.name) {
			continue
		}
		if err := part.run(ctx, b); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	b.report.end()
	return nil
}
