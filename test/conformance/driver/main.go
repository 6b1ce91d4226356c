// Driver makes a running Kontor the client of one scenario of the conformance suite.
// It speaks Kontor's REST API and nothing else: it adds the scenario's server, waits
// until it is ready, takes the scenario's steps, answers what the server asks, and
// removes the server. The last line that it prints is "passed", or it exits with 1.
//
// The suite runs `driver -host URL -token T SERVER-URL` and names the scenario in the
// environment.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

func main() {
	if err := drive(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("passed")
}

func drive() error {
	host := flag.String("host", "", "where Kontor answers, with http://")
	token := flag.String("token", "", "an API token of it")
	flag.Parse()
	scenario, version := os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION")
	if *host == "" || *token == "" || flag.NArg() != 1 || scenario == "" || version == "" {
		return errors.New("usage: driver -host URL -token T SERVER-URL, with the suite's environment")
	}
	var told scenarioContext
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &told); err != nil {
			return fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 28*time.Second)
	defer cancel()
	s := server{api: api{base: *host, token: *token}, name: strings.ReplaceAll(scenario, "/", ".") + "." + version}
	if err := s.add(ctx, flag.Arg(0), settings(scenario, told)); err != nil {
		return err
	}
	err := s.through(ctx, scenario, version, told)
	if word := refusals()[scenario]; word != "" {
		err = refused(err, word)
	}
	return errors.Join(err, s.remove(context.WithoutCancel(ctx)))
}

// through connects and takes a scenario's steps; meanwhile it signs in and answers
// questions. The first thing that fails ends it.
func (s server) through(ctx context.Context, scenario, version string, told scenarioContext) error {
	group, ctx := errgroup.WithContext(ctx)
	beside, stop := context.WithCancel(ctx)
	group.Go(func() error { return unlessStopped(beside, s.answers(beside)) })
	group.Go(func() error { return unlessStopped(beside, s.signsIn(beside)) })
	group.Go(func() error {
		defer stop()
		if err := s.ready(ctx, version); err != nil {
			return err
		}
		take := scenarios()[scenario]
		if take == nil && strings.HasPrefix(scenario, "auth/") {
			take = everyTool
		}
		if take == nil {
			return nil
		}
		return take(ctx, s, told)
	})
	return group.Wait()
}

// unlessStopped drops the error of what was stopped on purpose.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
