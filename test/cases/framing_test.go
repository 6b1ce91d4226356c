package cases

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// words are characters of one, two, three and four bytes.
const words = "Messgerät 漢字 🔑"

// framing is how messages go over stdout.
func framing() []fault {
	return []fault{
		{
			name: "log-lines-on-stdout",
			server: server{
				tools: echo,
				start: func() { fmt.Println("Server 1.2 starting…") },
				write: func(line string) { fmt.Println("debug: called\n" + line) },
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				done(t, k, name, "echo", `{}`)
				logged(t, k, name, "not_protocol: Server 1.2 starting…\n")
				logged(t, k, name, "not_protocol: debug: called\n")
				// One at the start, one before each answer: to the probe, initialize,
				// the list and the call.
				warned(t, k, name, "stdout_noise", "5 lines on stdout")
			},
		},
		{
			name:   "carriage-returns-and-blank-lines",
			server: server{tools: echo, write: func(line string) { fmt.Print(line + "\r\n\r\n") }},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				done(t, k, name, "echo", `{}`)
				quiet(t, k, name)
			},
		},
		{
			name: "long-lines",
			server: server{
				tools: manyTools(250, strings.Repeat("d", 1000)),
				on:    map[string]handler{"tools/call": long},
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				if s := k.AwaitState(name, "ready"); s.Status.Tools != 250 {
					t.Errorf("got %d tools, want 250", s.Status.Tools)
				}
				if got := done(t, k, name, "tool-0", `{}`); got != strings.Repeat("x", 2<<20) {
					t.Errorf("got %d bytes, want 2 MiB of x", len(got))
				}
				holds(t, failed(t, k, name, "tool-1", "failed", "too_large"), "16777216")
				done(t, k, name, "tool-0", `{}`)
			},
		},
		{
			name:   "small-writes",
			server: server{tools: echo, write: trickle},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				holds(t, done(t, k, name, "echo", `{"s":"`+words+`"}`), `{"s":"`+words+`"}`)
				quiet(t, k, name)
			},
		},
		{
			name: "characters-raw-and-escaped",
			server: server{
				tools: `{"name":"raw","inputSchema":{"type":"object"}},{"name":"escaped","inputSchema":{"type":"object"}}`,
				on: map[string]handler{"tools/call": func(m message, _ func(string)) string {
					if str(member(m.Params, "name")) == "raw" {
						return text(str(member(member(m.Params, "arguments"), "s")))
					}
					return `{"content":[{"type":"text","text":"Messger\u00e4t \u6f22\u5b57 \ud83d\udd11"}]}`
				}},
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				for _, tool := range []string{"raw", "escaped"} {
					c := k.GetCall(call(k, name, tool, `{"s":"`+words+`"}`).ID)
					if c.Text() != words || string(c.Arguments) != `{"s":"`+words+`"}` {
						t.Errorf("%s: got %q for %s, want %q", tool, c.Text(), c.Arguments, words)
					}
				}
			},
		},
	}
}

// long answers 2 MiB, and more than any message may have to tool-1.
func long(m message, _ func(string)) string {
	size := 2 << 20
	if str(member(m.Params, "name")) == "tool-1" {
		size = 17 << 20
	}
	return `{"content":[{"type":"text","text":"` + strings.Repeat("x", size) + `"}]}`
}

// trickle writes a message in two parts, the second byte by byte.
func trickle(line string) {
	const first = 27
	fmt.Print(line[:first])
	time.Sleep(200 * time.Millisecond)
	for i := first; i < len(line); i++ {
		_, _ = os.Stdout.Write([]byte{line[i]})
	}
	fmt.Println()
}

// manyTools is a list of tool-0, tool-1, …
func manyTools(n int, description string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"name":"tool-%d","description":"%s","inputSchema":{"type":"object"}}`, i, description)
	}
	return strings.Join(all, ",")
}

// warned waits for a warning on the server's page.
func warned(t *testing.T, k *kontor.Kontor, name, code, words string) {
	t.Helper()
	k.AwaitServer(name, "with the warning "+code+": "+words, func(s kontor.Server) bool {
		for _, w := range s.Warnings {
			if w.Code == code && strings.Contains(w.Message, words) {
				return true
			}
		}
		return false
	})
}
