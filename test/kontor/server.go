package kontor

import (
	"encoding/json"
	"net/http"
	"time"
)

// Server is a server as it is read.
type Server struct {
	Name     string
	Enabled  bool
	Env      map[string]json.RawMessage
	Status   Status
	Warnings []struct{ Code, Message, Tool string }
}

// Status is the state of a server's connection.
type Status struct {
	State           string
	Era             string
	ProtocolVersion string `json:"protocol_version"`
	LastError       *Error `json:"last_error"`
	LastStderr      string `json:"last_stderr"`
	Attempts        int
	NextAttemptAt   *time.Time `json:"next_attempt_at"`
	Tools           int
	Resources       int
	Prompts         int
	ServerName      string `json:"server_name"`
	Auth            Auth
}

// Auth is how far one is signed in.
type Auth struct {
	State, Account, Issuer, Client, Reason, Message string
	Renewable                                       bool
	ExpiresAt                                       time.Time `json:"expires_at"`
	Scopes                                          []string
	StepUp                                          []string `json:"step_up"`
}

// Error is a code and words.
type Error struct{ Code, Message string }

// Config is a server's configuration as it is sent.
type Config map[string]any

// Demo is the bundled demo server over stdio.
func Demo() Config { return Config{"command": Binary(), "args": []string{"server", "demo"}} }

// With is the configuration with one more setting.
func (c Config) With(name string, value any) Config {
	more := Config{name: value}
	for k, v := range c {
		if k != name {
			more[k] = v
		}
	}
	return more
}

// Add saves a server, which connects in the background.
func (k *Kontor) Add(name string, c Config) {
	k.t.Helper()
	k.Send(http.StatusCreated, http.MethodPost, "/api/servers", c.With("name", name), nil)
}

// AddReady saves a server and waits until it is ready.
func (k *Kontor) AddReady(name string, c Config) Server {
	k.t.Helper()
	k.Add(name, c)
	return k.AwaitState(name, "ready")
}

// Server reads one.
func (k *Kontor) Server(name string) Server {
	k.t.Helper()
	var s Server
	k.Get("/api/servers/"+name, &s)
	return s
}

// Servers reads them all, by name.
func (k *Kontor) Servers() map[string]Server {
	k.t.Helper()
	var list struct{ Items []Server }
	k.Get("/api/servers", &list)
	servers := map[string]Server{}
	for _, s := range list.Items {
		servers[s.Name] = s
	}
	return servers
}

// AwaitState waits until a server is in the state.
func (k *Kontor) AwaitState(name, state string) Server {
	k.t.Helper()
	return k.AwaitServer(name, state, func(s Server) bool { return s.Status.State == state })
}

// AwaitServer waits until a server is as it should be; words say how that is.
func (k *Kontor) AwaitServer(name, words string, ok func(Server) bool) Server {
	k.t.Helper()
	var s Server
	if !polled(Patience, func() bool { s = k.Server(name); return ok(s) }) {
		k.t.Fatalf("%s is not %s within %s, but %+v, last error %+v; its log:\n%s",
			name, words, Patience, s.Status, s.Status.LastError, k.Log(name))
	}
	return s
}

// Log is the end of a server's log, a line for each entry: tag, colon, text.
func (k *Kontor) Log(name string) string {
	k.t.Helper()
	var list struct{ Items []struct{ Tag, Text string } }
	k.Get("/api/servers/"+name+"/logs?tail=500", &list)
	var lines []byte
	for _, line := range list.Items {
		lines = append(lines, line.Tag+": "+line.Text+"\n"...)
	}
	return string(lines)
}

// Tool is an entry of the catalogue.
type Tool struct {
	Name, Server, Tool, Title, Description string
	InputSchema                            json.RawMessage `json:"input_schema"`
	OutputSchema                           json.RawMessage `json:"output_schema"`
	TaskSupport                            string          `json:"task_support"`
	Annotations                            json.RawMessage
}

// Tools lists a server's tools by their own names.
func (k *Kontor) Tools(server string) map[string]Tool {
	k.t.Helper()
	var list struct{ Items []Tool }
	k.Get("/api/tools?server="+server, &list)
	tools := map[string]Tool{}
	for _, tool := range list.Items {
		tools[tool.Tool] = tool
	}
	return tools
}
