package whole

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// recorder stands between Kontor and a server on standard input and output. The file
// that its first argument names gets each line that the server is sent, before it is;
// the other arguments are the server.
func recorder() {
	file, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	server := exec.Command(os.Args[2], os.Args[3:]...)
	server.Stdout, server.Stderr = os.Stdout, os.Stderr
	stdin, err := server.StdinPipe()
	if err == nil {
		err = server.Start()
	}
	if err != nil {
		panic(err)
	}
	// A line that a crash cut in two is none, for the server neither.
	lines := bufio.NewReader(os.Stdin)
	for line, err := lines.ReadBytes('\n'); err == nil; line, err = lines.ReadBytes('\n') {
		if _, err := file.Write(line); err != nil {
			panic(err)
		}
		if _, err := stdin.Write(line); err != nil {
			break
		}
	}
	_ = stdin.Close()
	_ = server.Wait()
}

// recordedDemo is the demo server behind a recorder.
func recordedDemo(t *testing.T, file string) kontor.Config {
	return fake(t, "recorder", file, kontor.Binary(), "server", "demo").With("trusted", true)
}

// received are the calls that a server was sent, by their marks. An answer to its
// question comes with the call once more, and is no other call.
func received(t *testing.T, file string) map[string]int {
	t.Helper()
	marks := map[string]int{}
	for line := range strings.Lines(string(read(t, file))) {
		var m struct {
			Method string
			Params struct {
				Arguments      struct{ Text, Message string }
				InputResponses json.RawMessage
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("the server was sent %q: %v", line, err)
		}
		if m.Method == "tools/call" && m.Params.InputResponses == nil {
			marks[m.Params.Arguments.Text+m.Params.Arguments.Message]++
		}
	}
	return marks
}
