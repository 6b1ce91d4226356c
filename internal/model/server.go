package model

import (
	"cmp"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"time"
)

// Transport is how a server is reached. What an `http` server speaks in the end
// (Streamable HTTP, or the HTTP+SSE of 2024-11-05) is found out, not configured.
type Transport string

// The transports.
const (
	TransportStdio Transport = "stdio"
	TransportHTTP  Transport = "http"
)

// ParseTransport accepts the names that other hosts use for the same things.
func ParseTransport(s string) (Transport, error) {
	switch s {
	case "stdio":
		return TransportStdio, nil
	case "http", "sse", "streamable_http", "streamable-http":
		return TransportHTTP, nil
	}
	return "", Errorf(CodeInvalid, "transport %q is unknown: use stdio or http", s)
}

// Limits of a server's settings, used where the person gave none.
const (
	DefaultStartTimeout       = 120 * time.Second
	DefaultCallTimeout        = 120 * time.Second
	DefaultCallMax            = time.Hour
	DefaultElicitationTimeout = 5 * time.Minute
	// DefaultMaxMessage is in bytes.
	DefaultMaxMessage     = 16 << 20
	DefaultSSEIdleTimeout = time.Minute

	DefaultReconnectInitial  = 500 * time.Millisecond
	DefaultReconnectMax      = 30 * time.Second
	DefaultReconnectAttempts = 20
)

// Bounds of a server's settings.
const (
	minMaxMessage = 64 << 10
	maxMaxMessage = 1 << 30
)

// Reconnect is how a server that is lost or failing is dialled again by itself:
// after Initial, then twice as long each time up to Max, at most MaxAttempts times
// in a row. Zero means the default.
type Reconnect struct {
	Initial, Max time.Duration
	MaxAttempts  int
}

// Value is a setting that may be a secret: an environment value, a header, a
// bearer token. Text is as the person typed it, `${VAR}` unexpanded.
type Value struct {
	Text string
	// Plain says that the person marked it as no secret; it may be shown.
	Plain bool
	// Unreadable says that a secret is stored but the key doesn't open it: Text
	// is empty. Storing it again keeps what is there.
	Unreadable bool
}

// Secret tells whether the text must never be shown: it is neither marked plain
// nor made of `${VAR}` references alone.
func (v Value) Secret() bool {
	return v.Unreadable || v.Text != "" && !v.Plain && !onlyReference.MatchString(v.Text)
}

var onlyReference = regexp.MustCompile(`^(?:(?i:bearer|basic) )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$`)

// Server is one configured MCP server. The name never changes.
type Server struct {
	Name         string
	FriendlyName string
	Description  string
	Transport    Transport

	Command string
	Args    []string
	Cwd     string
	Env     map[string]Value

	URL         string
	Headers     map[string]Value
	BearerToken Value
	OAuth       OAuth

	Enabled bool
	// Trusted says that the person believes the server's own hints.
	Trusted bool
	// ShareImages says that the images of its results may go to models; true for a
	// new server.
	ShareImages bool
	// EnabledTools, when not empty, names the only tools offered; DisabledTools
	// are never offered.
	EnabledTools, DisabledTools []string

	// Zero means the default.
	StartTimeout, CallTimeout, CallMax, ElicitationTimeout time.Duration
	// MaxMessage is the largest message that is taken from it, in bytes.
	MaxMessage int
	// SSEIdleTimeout is how long an event stream that sends keep-alives may be
	// silent before it is opened again.
	SSEIdleTimeout time.Duration
	Reconnect      Reconnect

	// Delivery of its pushes: empty for the rules, "inject_summary" or
	// "inject_and_run".
	Delivery string

	CreatedAt, UpdatedAt time.Time
}

// Title is what a person sees: the friendly name, or the name.
func (s Server) Title() string {
	if s.FriendlyName != "" {
		return s.FriendlyName
	}
	return s.Name
}

// GivesToken tells whether the person gave a token or an Authorization header of
// their own, which comes before any sign-in.
func (s Server) GivesToken() bool {
	if s.BearerToken.Text != "" || s.BearerToken.Unreadable {
		return true
	}
	for name := range s.Headers {
		if strings.EqualFold(name, "Authorization") {
			return true
		}
	}
	return false
}

// ToolEnabled tells whether a tool of the server may be used.
func (s Server) ToolEnabled(tool string) bool {
	for _, t := range s.DisabledTools {
		if t == tool {
			return false
		}
	}
	if len(s.EnabledTools) == 0 {
		return true
	}
	for _, t := range s.EnabledTools {
		if t == tool {
			return true
		}
	}
	return false
}

// WithDefaults fills in the limits that were left at zero.
func (s Server) WithDefaults() Server {
	for _, d := range []struct {
		have *time.Duration
		want time.Duration
	}{
		{&s.StartTimeout, DefaultStartTimeout},
		{&s.CallTimeout, DefaultCallTimeout},
		{&s.CallMax, DefaultCallMax},
		{&s.ElicitationTimeout, DefaultElicitationTimeout},
		{&s.SSEIdleTimeout, DefaultSSEIdleTimeout},
		{&s.Reconnect.Initial, DefaultReconnectInitial},
		{&s.Reconnect.Max, max(DefaultReconnectMax, s.Reconnect.Initial)},
	} {
		if *d.have == 0 {
			*d.have = d.want
		}
	}
	s.MaxMessage = cmp.Or(s.MaxMessage, DefaultMaxMessage)
	s.Reconnect.MaxAttempts = cmp.Or(s.Reconnect.MaxAttempts, DefaultReconnectAttempts)
	return s
}

var serverName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// ValidServerName says in words why a name can't be a server's, or nil.
func ValidServerName(name string) error {
	switch {
	case name == "":
		return Errorf(CodeInvalid, "name is missing")
	case !serverName.MatchString(name):
		return Errorf(CodeInvalid, "name %q: use 1 to 64 letters, digits, dots, dashes and underscores", name)
	case strings.Contains(name, "__"):
		return Errorf(CodeInvalid, "name %q: two underscores in a row separate server and tool; use one", name)
	case strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_"):
		return Errorf(CodeInvalid, "name %q: an underscore can't be first or last", name)
	case name == "." || name == ".." || name == "config":
		return Errorf(CodeInvalid, "name %q is reserved", name)
	}
	return nil
}

// Validate says in words what is wrong with the configuration, or nil.
func (s Server) Validate() error {
	if err := ValidServerName(s.Name); err != nil {
		return err
	}
	if err := s.validateLimits(); err != nil {
		return err
	}
	switch s.Transport {
	case TransportStdio:
		return s.validateStdio()
	case TransportHTTP:
		return s.validateHTTP()
	}
	return Errorf(CodeInvalid, "transport %q is unknown: use stdio or http", s.Transport)
}

func (s Server) validateLimits() error {
	for _, d := range []time.Duration{
		s.StartTimeout, s.CallTimeout, s.CallMax, s.ElicitationTimeout, s.SSEIdleTimeout, s.Reconnect.Initial, s.Reconnect.Max,
	} {
		if d < 0 {
			return Errorf(CodeInvalid, "a time limit can't be negative")
		}
	}
	full := s.WithDefaults()
	switch {
	case full.MaxMessage < minMaxMessage || full.MaxMessage > maxMaxMessage:
		return Errorf(CodeInvalid, "max_message_bytes must be between %d and %d", minMaxMessage, maxMaxMessage)
	case full.Reconnect.MaxAttempts < 0:
		return Errorf(CodeInvalid, "reconnect: max_attempts can't be negative")
	case full.Reconnect.Max < full.Reconnect.Initial:
		return Errorf(CodeInvalid, "reconnect: max_ms can't be less than initial_ms")
	}
	return nil
}

func (s Server) validateStdio() error {
	switch {
	case strings.TrimSpace(s.Command) == "":
		return Errorf(CodeInvalid, "command is missing: a stdio server needs a program to start")
	case s.URL != "" || len(s.Headers) > 0 || s.BearerToken.Text != "" || !reflect.ValueOf(s.OAuth).IsZero():
		return Errorf(CodeInvalid, "a stdio server takes no url, headers, bearer_token or oauth")
	}
	for name := range s.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			return Errorf(CodeInvalid, "env name %q can't be one: it may not be empty or hold =", name)
		}
	}
	return nil
}

func (s Server) validateHTTP() error {
	switch {
	case s.URL == "":
		return Errorf(CodeInvalid, "url is missing: an http server needs an address")
	case s.Command != "" || len(s.Args) > 0 || len(s.Env) > 0 || s.Cwd != "":
		return Errorf(CodeInvalid, "an http server takes no command, args, env or cwd")
	}
	if err := s.OAuth.validate(); err != nil {
		return err
	}
	return ValidURL(s.URL)
}

// ValidURL says in words why an address can't be a server's, or nil. A `${VAR}`
// reference stands for what it will be: an address is checked again once
// expanded.
func ValidURL(raw string) error {
	u, err := url.Parse(variable.ReplaceAllString(raw, "x"))
	switch {
	case err != nil:
		return Errorf(CodeInvalid, "url isn't an address")
	case variable.MatchString(strings.SplitN(raw, "/", 2)[0]):
		return nil // the scheme itself is a variable
	case u.Scheme != "http" && u.Scheme != "https":
		return Errorf(CodeInvalid, "url must start with http:// or https://")
	case u.Host == "":
		return Errorf(CodeInvalid, "url has no host")
	case u.User != nil:
		return Errorf(CodeInvalid, "url must not hold a user name or password: use a header or bearer_token")
	case u.Fragment != "":
		return Errorf(CodeInvalid, "url must not have a fragment (#…)")
	}
	return nil
}

var variable = regexp.MustCompile(`\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}]*)?\}`)
