package whole

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/test/kontor"
)

// fakeVar selects what the test binary is when it runs as a server.
const fakeVar = "FAKE_SERVER"

// fakes are servers that do what no decent server does.
func fakes() map[string]func() {
	return map[string]func(){
		// silent reads and never answers.
		"silent": func() { _, _ = io.Copy(io.Discard, os.Stdin) },
		// crash says why it can't start, and doesn't.
		"crash": func() {
			fmt.Fprintln(os.Stderr, "crash: config.yaml: no such file")
			os.Exit(3)
		},
		"stubborn": stubborn,
		"child":    func() { signal.Ignore(syscall.SIGTERM); forever() },
		"leaky":    leaky,
		"recorder": recorder,
	}
}

// fake is the configuration of one.
func fake(t *testing.T, name string, args ...string) kontor.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return kontor.Config{"command": self, "args": args, "env": map[string]any{fakeVar: plain(name)}}
}

func plain(value string) map[string]any { return map[string]any{"value": value, "plain": true} }

func forever() { time.Sleep(time.Hour) }

// stubborn heeds neither SIGTERM nor the end of its input, and has a child that
// doesn't either and shares none of its pipes. Its tool never answers.
func stubborn() {
	signal.Ignore(syscall.SIGTERM)
	child := exec.Command(os.Args[0])
	child.Env = []string{fakeVar + "=child"}
	if err := child.Start(); err != nil {
		panic(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "stubborn"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "hang"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		forever()
		return nil, nil, nil
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
	forever()
}

// leaky repeats what it was trusted with wherever it can. The file that its first
// argument names gets what it received, for the test to see that it did.
func leaky() {
	received, _ := json.Marshal(map[string]any{"env": os.Environ(), "args": os.Args[1:]})
	if err := os.WriteFile(os.Args[1], received, 0o600); err != nil {
		panic(err)
	}
	for _, secret := range []string{os.Getenv("API_KEY"), os.Getenv("SEALED"), os.Getenv("INHERITED"), os.Args[2]} {
		for _, form := range repeated(secret) {
			fmt.Fprintln(os.Stderr, "leaky: the key is", form)
			fmt.Println("not a message: the key is", form)
		}
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "leaky"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "refuse"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, &jsonrpc.Error{Code: -31001, Message: "wrong key: " + os.Getenv("API_KEY")}
	})
	mcp.AddTool(server, &mcp.Tool{Name: "die"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "leaky: dying with", os.Getenv("API_KEY"), os.Args[2])
		os.Exit(4)
		return nil, nil, nil
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}
