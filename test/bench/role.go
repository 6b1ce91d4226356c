package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// roleFlag makes this program play a peer in a process of its own.
const roleFlag = "-role"

// The peers.
const (
	roleStdio  = "stdio"  // an MCP server on standard input and output
	roleHTTP   = "http"   // the same over Streamable HTTP
	roleFanout = "fanout" // a loop over sockets
)

func play(ctx context.Context, role string) error {
	switch role {
	case roleStdio:
		return serveStdio(ctx)
	case roleHTTP:
		return serveUntilEOF(peerHandler())
	case roleFanout:
		return serveUntilEOF(newLoop())
	}
	return fmt.Errorf("there is no role %q", role)
}

// serveUntilEOF serves on a port that it prints, until standard input ends, which
// it does when the one that started it is gone.
func serveUntilEOF(h http.Handler) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	server := &http.Server{Handler: h}
	go func() {
		// Whatever comes, only its end counts.
		_, _ = bufio.NewReader(os.Stdin).ReadString(0)
		_ = server.Close()
	}()
	if err := server.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

// peer is a role that listens.
type peer struct {
	address string
	stop    func() error
}

// startPeer starts this program in a role that listens, and returns where.
func startPeer(ctx context.Context, b bench, role string) (*peer, error) {
	cmd := exec.CommandContext(ctx, b.self, roleFlag, role)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &peer{stop: func() error {
		_ = stdin.Close() // Wait tells of what matters
		return cmd.Wait()
	}}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		_ = p.stop()
		return nil, fmt.Errorf("role %s: %w", role, err)
	}
	p.address = strings.TrimSpace(line)
	return p, nil
}
