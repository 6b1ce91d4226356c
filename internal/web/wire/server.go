package wire

import "kontor.dev/kontor/internal/model"

// ServerConfig is the part of a server that the person sets.
type ServerConfig struct {
	Name         string `json:"name,omitempty" doc:"1 to 64 letters, digits, dots, dashes and underscores; it never changes"`
	FriendlyName string `json:"friendly_name,omitempty"`
	Description  string `json:"description,omitempty"`
	Transport    string `json:"transport,omitempty" doc:"stdio or http; sse and streamable_http are read as http"`

	Command string           `json:"command,omitempty" doc:"The program to start; no shell runs it"`
	Args    []string         `json:"args,omitempty"`
	Cwd     string           `json:"cwd,omitempty"`
	Env     map[string]Value `json:"env,omitempty"`

	URL         string           `json:"url,omitempty"`
	Headers     map[string]Value `json:"headers,omitempty"`
	BearerToken Value            `json:"bearer_token,omitzero"`
	OAuth       *OAuth           `json:"oauth,omitempty" doc:"How to sign in; left out keeps what is set"`

	Enabled       *bool    `json:"enabled,omitempty" doc:"True when left out"`
	Trusted       bool     `json:"trusted,omitempty" doc:"The person believes the server's own hints"`
	ShareImages   *bool    `json:"share_images,omitempty" doc:"The images of its results may go to models; left out keeps what is set, true for a new server"`
	EnabledTools  []string `json:"enabled_tools,omitempty" doc:"When not empty, the only tools offered"`
	DisabledTools []string `json:"disabled_tools,omitempty" doc:"Never offered"`

	StartTimeoutMS       int64  `json:"start_timeout_ms,omitempty" minimum:"0" doc:"0 for the default"`
	CallTimeoutMS        int64  `json:"call_timeout_ms,omitempty" minimum:"0" doc:"Time without a sign of life; 0 for the default"`
	CallMaxMS            int64  `json:"call_max_ms,omitempty" minimum:"0" doc:"The whole of a call; 0 for the default"`
	ElicitationTimeoutMS int64  `json:"elicitation_timeout_ms,omitempty" minimum:"0" doc:"How long a question waits; 0 for the default"`
	MaxMessageBytes      *int64 `json:"max_message_bytes,omitempty" minimum:"0" doc:"The largest message taken from it; left out keeps what is set, 0 is the default"`
	SSEIdleTimeoutMS     *int64 `json:"sse_idle_timeout_ms,omitempty" minimum:"0" doc:"Silence after which an event stream that sends keep-alives is opened again; left out keeps what is set, 0 is the default"`

	Reconnect *Reconnect `json:"reconnect,omitempty" doc:"Left out keeps what is set"`

	Delivery string `json:"delivery,omitempty" doc:"What its pushes do: empty for the rules, inject_summary or inject_and_run"`
}

// Reconnect is how a server that is lost or failing is dialled again by itself.
type Reconnect struct {
	InitialMS   int64 `json:"initial_ms,omitempty" minimum:"0" doc:"The first wait, doubled each time; 0 for the default"`
	MaxMS       int64 `json:"max_ms,omitempty" minimum:"0" doc:"The longest wait; 0 for the default"`
	MaxAttempts int   `json:"max_attempts,omitempty" minimum:"0" doc:"How often in a row; 0 for the default"`
}

// Server is a configured server as it is read, with what is known about its
// connection. Secrets are masked.
type Server struct {
	Name         string `json:"name"`
	FriendlyName string `json:"friendly_name"`
	Description  string `json:"description"`
	Transport    string `json:"transport" enum:"stdio,http"`

	Command string           `json:"command"`
	Args    []string         `json:"args"`
	Cwd     string           `json:"cwd"`
	Env     map[string]Value `json:"env"`

	URL         string           `json:"url"`
	Headers     map[string]Value `json:"headers"`
	BearerToken Value            `json:"bearer_token,omitzero" doc:"Left out when there is none"`
	OAuth       OAuth            `json:"oauth"`

	Enabled       bool     `json:"enabled"`
	Trusted       bool     `json:"trusted"`
	ShareImages   bool     `json:"share_images"`
	EnabledTools  []string `json:"enabled_tools"`
	DisabledTools []string `json:"disabled_tools"`

	StartTimeoutMS       int64 `json:"start_timeout_ms"`
	CallTimeoutMS        int64 `json:"call_timeout_ms"`
	CallMaxMS            int64 `json:"call_max_ms"`
	ElicitationTimeoutMS int64 `json:"elicitation_timeout_ms"`
	MaxMessageBytes      int64 `json:"max_message_bytes"`
	SSEIdleTimeoutMS     int64 `json:"sse_idle_timeout_ms"`

	Reconnect Reconnect `json:"reconnect"`

	Delivery string `json:"delivery"`

	CreatedAt Time `json:"created_at"`
	UpdatedAt Time `json:"updated_at"`

	Status   Status          `json:"status"`
	Warnings []model.Warning `json:"warnings" doc:"Everything cut, left out, odd or duplicate"`
}

// Status is what is known about a server's connection now.
type Status struct {
	State           model.ServerState `json:"state" enum:"disabled,connecting,ready,needs_sign_in,failed"`
	Era             string            `json:"era" enum:",legacy,modern" doc:"Empty until known"`
	ProtocolVersion string            `json:"protocol_version"`
	Since           Time              `json:"since"`
	LastError       *model.Error      `json:"last_error,omitempty" doc:"Why it is not ready; kept as history once it is"`
	LastStderr      string            `json:"last_stderr"`
	Attempts        int               `json:"attempts" doc:"Dials since it was last ready"`
	NextAttemptAt   *Time             `json:"next_attempt_at" nullable:"true" doc:"Null when it won't be tried again by itself"`
	Tools           int               `json:"tools"`
	Resources       int               `json:"resources"`
	Prompts         int               `json:"prompts"`
	ListedAt        *Time             `json:"listed_at" nullable:"true" doc:"When they were listed last"`
	Saved           bool              `json:"saved" doc:"That was before Kontor was started; the server hasn't confirmed it since"`
	LatencyMS       int64             `json:"latency_ms" doc:"Of the last handshake or list"`
	ServerName      string            `json:"server_name" doc:"What the server calls itself"`
	ServerVersion   string            `json:"server_version"`
	Instructions    string            `json:"instructions"`
	Auth            Auth              `json:"auth"`
}

// ServerOf is what may be read of a server.
func ServerOf(s model.Server, st model.Status) Server {
	warnings := st.Warnings
	if warnings == nil {
		warnings = []model.Warning{}
	}
	limits := s.WithDefaults()
	out := Server{
		Name: s.Name, FriendlyName: s.FriendlyName, Description: s.Description,
		Transport: string(s.Transport),
		Command:   s.Command, Args: list(s.Args), Cwd: s.Cwd, Env: maskedValues(s.Env),
		URL: s.URL, Headers: maskedValues(s.Headers), OAuth: oauthOf(s.OAuth),
		Enabled: s.Enabled, Trusted: s.Trusted, ShareImages: s.ShareImages,
		EnabledTools: list(s.EnabledTools), DisabledTools: list(s.DisabledTools),
		StartTimeoutMS:       limits.StartTimeout.Milliseconds(),
		CallTimeoutMS:        limits.CallTimeout.Milliseconds(),
		CallMaxMS:            limits.CallMax.Milliseconds(),
		ElicitationTimeoutMS: limits.ElicitationTimeout.Milliseconds(),
		MaxMessageBytes:      int64(limits.MaxMessage),
		SSEIdleTimeoutMS:     limits.SSEIdleTimeout.Milliseconds(),
		Reconnect: Reconnect{
			InitialMS: limits.Reconnect.Initial.Milliseconds(), MaxMS: limits.Reconnect.Max.Milliseconds(),
			MaxAttempts: limits.Reconnect.MaxAttempts,
		},
		Delivery:  s.Delivery,
		CreatedAt: At(s.CreatedAt), UpdatedAt: At(s.UpdatedAt),
		Status: statusOf(st), Warnings: warnings,
	}
	if s.BearerToken.Text != "" {
		out.BearerToken = ValueOf(s.BearerToken)
	}
	return out
}

func statusOf(st model.Status) Status {
	return Status{
		State: st.State, Era: st.Era, ProtocolVersion: st.ProtocolVersion, Since: At(st.Since),
		LastError: st.LastError, LastStderr: st.LastStderr,
		Attempts: st.Attempts, NextAttemptAt: When(st.NextAttemptAt),
		Tools: st.Tools, Resources: st.Resources, Prompts: st.Prompts,
		ListedAt: When(st.ListedAt), Saved: st.Saved,
		LatencyMS:  st.Latency.Milliseconds(),
		ServerName: st.ServerName, ServerVersion: st.ServerVersion, Instructions: st.Instructions,
		Auth: authOf(st.Auth),
	}
}

func maskedValues(values map[string]model.Value) map[string]Value {
	masked := make(map[string]Value, len(values))
	for name, v := range values {
		masked[name] = ValueOf(v)
	}
	return masked
}

func list(items []string) []string {
	if items == nil {
		return []string{}
	}
	return items
}
