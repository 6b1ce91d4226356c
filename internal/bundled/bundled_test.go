package bundled

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestServersHaveWords(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, server := range All() {
		if server.Name == "" || server.Description == "" || seen[server.Name] {
			t.Errorf("%+v has no name, a second one of the same, or no description", server)
		}
		seen[server.Name] = true
	}
}

func TestRunNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	err := Run(t.Context(), "nope", Options{})
	if err == nil || !strings.Contains(err.Error(), `"nope"`) || !strings.Contains(err.Error(), "demo") {
		t.Errorf("got %v, want an error that names nope and demo", err)
	}
}

func TestRunServesEachServerOverStdio(t *testing.T) {
	t.Parallel()
	for _, server := range All() {
		fromClient, toServer := io.Pipe()
		fromServer, toClient := io.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- Run(t.Context(), server.Name, Options{Version: "v9", Stdin: fromClient, Stdout: toClient, Stderr: io.Discard})
		}()
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := session.InitializeResult().ServerInfo.Version; got != "v9" {
			t.Errorf("%s: got version %s, want v9", server.Name, got)
		}
		if err := session.Close(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Errorf("%s: got %v, want a regular end", server.Name, err)
		}
	}
}

func TestRunServesEachServerOverHTTP(t *testing.T) {
	t.Parallel()
	for _, server := range All() {
		ctx, stop := context.WithCancel(t.Context())
		stderr, log := io.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- Run(ctx, server.Name, Options{Addr: "127.0.0.1:0", Stderr: log})
		}()
		line, err := bufio.NewReader(stderr).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		_, url, _ := strings.Cut(strings.TrimSpace(line), " at ")
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
		if err != nil {
			t.Fatalf("%s at %s: %v", server.Name, url, err)
		}
		_ = session.Close()
		stop()
		if err := <-done; err != nil {
			t.Errorf("%s: got %v, want a regular end", server.Name, err)
		}
	}
}
