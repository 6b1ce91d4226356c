package client

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// peerVar makes the test binary a server over stdio, for tests of real processes.
const peerVar = "KONTOR_TEST_PEER"

func TestMain(m *testing.M) {
	if os.Getenv(peerVar) != "" {
		if err := newPeer().Run(context.Background(), &mcp.StdioTransport{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}
