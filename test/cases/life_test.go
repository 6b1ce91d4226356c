package cases

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// starting is how servers begin, or don't.
func starting() []fault {
	return []fault{
		{
			name:   "never-answers",
			server: server{start: func() { tell("waiting for the moon"); time.Sleep(time.Hour) }},
			config: kontor.Config{"start_timeout_ms": 400},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				holds(t, notReady(t, k, name, "timeout"), "did not answer", "0.4 s")
				k.AwaitServer(name, "shown with its last words", func(s kontor.Server) bool {
					return s.Status.LastStderr == "waiting for the moon"
				})
				tries := strings.Count(k.Log(name), "waiting for the moon")
				k.Post("/api/servers/"+name+"/reconnect", nil, nil)
				kontor.Poll(t, kontor.Patience, "another start", func() bool {
					return strings.Count(k.Log(name), "waiting for the moon") > tries
				})
			},
		},
		{
			name:   "hangs-and-is-stopped",
			server: server{start: func() { tell("%d", os.Getpid()); time.Sleep(time.Hour) }},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				s := k.AwaitServer(name, "started", func(s kontor.Server) bool { return s.Status.LastStderr != "" })
				pid := number(t, s.Status.LastStderr)
				k.Send(http.StatusOK, http.MethodPatch, "/api/servers/"+name, map[string]bool{"enabled": false}, nil)
				if got := k.Server(name).Status.State; got != "disabled" {
					t.Errorf("it is %s, want disabled at once", got)
				}
				kontor.Poll(t, kontor.Patience, "the end of the process", func() bool { return !kontor.Alive(pid) })
			},
		},
		{
			name: "dies-at-its-start",
			server: server{start: func() {
				tell("config.yaml: no such file")
				tell("token=%s", os.Getenv("TOKEN"))
				os.Exit(3)
			}},
			config: kontor.Config{"env": map[string]any{"TOKEN": "abc123-is-secret"}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				words := notReady(t, k, name, "exited")
				holds(t, words, filepath.Base(self(t)), "3", "config.yaml: no such file", "token=")
				if strings.Contains(words, "abc123") || strings.Contains(k.Log(name), "abc123") {
					t.Errorf("the secret is told: %s\n%s", words, k.Log(name))
				}
			},
		},
		{
			name:   "unknown-command",
			config: kontor.Config{"command": "launcher-of-ours", "env": map[string]any{"PATH": plain("/nowhere/bin")}},
			server: server{tools: echo},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				holds(t, notReady(t, k, name, "command_not_found"), "launcher-of-ours", "/nowhere/bin")
				folder := t.TempDir()
				program := filepath.Join(folder, "launcher-of-ours")
				if err := os.Symlink(self(t), program); err != nil {
					t.Fatal(err)
				}
				c := process(t, name)
				c["command"] = "launcher-of-ours"
				c["env"].(map[string]any)["PATH"] = plain(folder)
				k.Send(http.StatusOK, http.MethodPut, "/api/servers/"+name, c, nil)
				k.AwaitState(name, "ready")
				k.Send(http.StatusOK, http.MethodPut, "/api/servers/"+name, process(t, name).With("command", program), nil)
				k.AwaitServer(name, "ready with the whole path", func(s kontor.Server) bool {
					return s.Status.State == "ready" && len(s.Warnings) == 0
				})
				done(t, k, name, "echo", `{}`)
			},
		},
		{
			name: "variables",
			server: server{tools: echo, on: map[string]handler{"tools/call": func(message, func(string)) string {
				return text(strings.Join(append(os.Args[1:], os.Getenv("DB"), os.Getenv("PRICE")), "|"))
			}}},
			config: kontor.Config{
				"args": []string{"--k=$$5", "100%"},
				"env":  map[string]any{"DB": plain("${HOST_OF_NOBODY:-localhost}/x"), "PRICE": plain("$5 $$ %d")},
			},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if got, want := done(t, k, name, "echo", `{}`), "--k=$$5|100%|localhost/x|$5 $$ %d"; got != want {
					t.Errorf("the server got %s, want %s", got, want)
				}
			},
		},
		{
			name:   "variable-without-a-value",
			server: server{},
			config: kontor.Config{"env": map[string]any{"K": "${NOBODY_SET_THIS}"}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				holds(t, notReady(t, k, name, "missing_variable"), "NOBODY_SET_THIS")
			},
		},
	}
}

// running is what happens to servers that were ready.
func running() []fault {
	return []fault{
		{
			name:   "floods-stderr",
			server: server{tools: echo, on: map[string]handler{"tools/call": flood()}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				for range 3 {
					done(t, k, name, "echo", `{}`)
				}
				logged(t, k, name, "stderr: the end of flood 3")
				for _, file := range []string{name + ".log", name + ".log.1"} {
					info, err := os.Stat(filepath.Join(k.Data, "logs", "mcp", file))
					if err != nil || info.Size() > 5<<20+64<<10 {
						t.Errorf("%s: %v, %v, want at most 5 MiB", file, info, err)
					}
				}
			},
		},
		{
			name: "killed-while-idle",
			server: server{tools: echo, on: map[string]handler{"tools/call": func(message, func(string)) string {
				return text(strconv.Itoa(os.Getpid()))
			}}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				first := number(t, done(t, k, name, "echo", `{}`))
				victim, err := os.FindProcess(first)
				if err != nil {
					t.Fatal(err)
				}
				if err := victim.Kill(); err != nil {
					t.Fatal(err)
				}
				s := k.AwaitServer(name, "missed", func(s kontor.Server) bool { return s.Status.LastError != nil })
				holds(t, s.Status.LastError.Message, "stopped unexpectedly", "killed")
				if second := number(t, done(t, k, name, "echo", `{}`)); second == first {
					t.Errorf("the process that was killed answers")
				}
			},
		},
		{
			name:   "same-id-in-every-answer",
			server: server{tools: echo, write: func(line string) { os.Stdout.WriteString(sameID(line) + "\n") }},
			config: kontor.Config{"start_timeout_ms": 1500},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitServer(name, "failed, with what came instead of an answer", func(s kontor.Server) bool {
					e := s.Status.LastError
					return e != nil && e.Code == "timeout" && strings.Contains(e.Message, "; an answer came for id 0, which nobody waits for")
				})
			},
		},
		{
			name: "same-id-in-every-answer-but-the-first",
			server: server{tools: echo, on: map[string]handler{
				"tools/call": func(_ message, say func(string)) string {
					say(response([]byte("0"), text("for whom?")))
					return ""
				},
			}},
			config: kontor.Config{"call_timeout_ms": 400},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				first, second := k.StartCall("mcp__"+name+"__echo", `{}`), k.StartCall("mcp__"+name+"__echo", `{}`)
				for _, c := range []kontor.Call{first, second} {
					c = k.AwaitCall(c.ID, "settled", kontor.Call.Settled)
					if c.State != "failed" || c.Error == nil || c.Error.Code != "timeout" {
						t.Errorf("the call is %s with %+v, want a timeout", c.State, c.Error)
					}
				}
				logged(t, k, name, "an answer came for id 0, which nobody waits for")
			},
		},
		{
			name: "never-answers-a-call",
			server: server{tools: echo, on: map[string]handler{
				"tools/call": func(m message, _ func(string)) string {
					if member(member(m.Params, "arguments"), "hang") != nil {
						return ""
					}
					return text("here")
				},
				"notifications/cancelled": func(m message, _ func(string)) string {
					tell("cancelled: %s", m.Params)
					return ""
				},
			}},
			config: kontor.Config{"call_timeout_ms": 2000},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{"hang":true}`)
				if c.State != "failed" || c.Error == nil || c.Error.Code != "timeout" {
					t.Errorf("the call is %s with %+v, want a timeout", c.State, c.Error)
				}
				logged(t, k, name, `stderr: cancelled: {"requestId":`)
				if got := done(t, k, name, "echo", `{}`); got != "here" {
					t.Errorf("the next call got %q", got)
				}
			},
		},
	}
}

// sameID gives a response the id 0.
func sameID(line string) string {
	before, after, _ := strings.Cut(line, `"id":`)
	_, after, _ = strings.Cut(after, ",")
	return before + `"id":0,` + after
}

// flood writes 5 MiB to stderr before the answer, one line of it very long.
func flood() handler {
	line, floods := strings.Repeat("f", 1023), 0
	return func(message, func(string)) string {
		for range 4 << 10 {
			tell("%s", line)
		}
		tell("%s", strings.Repeat("l", 1<<20))
		floods++
		tell("the end of flood %d", floods)
		return text("dry")
	}
}

// self is the test binary.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
