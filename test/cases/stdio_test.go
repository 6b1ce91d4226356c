package cases

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// fakeVar names the case whose server the test binary plays.
const fakeVar = "FAKE_SERVER"

// play is the server of a case over stdio, until its input ends.
func play(name string) {
	s := find(name).server
	if s.start != nil {
		s.start()
	}
	write := s.write
	if write == nil {
		write = func(line string) { fmt.Println(line) }
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) != nil {
			fmt.Fprintf(os.Stderr, "unreadable: %q\n", line)
			continue
		}
		if answer := s.answer(m, write); answer != "" {
			write(answer)
		}
	}
}

// process is the configuration of a fake over stdio.
func process(t *testing.T, name string) kontor.Config {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return kontor.Config{"command": self, "env": map[string]any{fakeVar: plain(name)}}
}

// plain is a value of the environment that is no secret.
func plain(value string) map[string]any { return map[string]any{"value": value, "plain": true} }

// tell writes a line for the test to find in the server's log.
func tell(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
