package wire

import "kontor.dev/kontor/internal/model"

// Trial is how far a configuration came when it was tried.
type Trial struct {
	OK     bool    `json:"ok" doc:"Every stage went well"`
	Stages []Stage `json:"stages" doc:"In their order; those behind the one that failed have the code not_reached"`
}

// Stage is one step of trying a configuration.
type Stage struct {
	Stage    string     `json:"stage" enum:"parse,variables,dns,tcp,tls,spawn,era,authorization,handshake,lists,stream"`
	OK       bool       `json:"ok"`
	MS       int64      `json:"ms"`
	Code     model.Code `json:"code,omitempty" doc:"Stable name of what went wrong, or of what is worth knowing; docs/guide/errors.md explains each"`
	Message  string     `json:"message,omitempty" doc:"What went wrong, or what was found"`
	Evidence string     `json:"evidence,omitempty" doc:"What was seen: status and beginning of an answer, the last lines of stderr, the PATH"`
	Fix      string     `json:"fix,omitempty" doc:"The likely remedy"`
}

// Import is what a text or file was read as.
type Import struct {
	Format   string          `json:"format" doc:"What it was recognised as"`
	Servers  []ServerConfig  `json:"servers" doc:"The name is left out where the text has none"`
	Warnings []ImportWarning `json:"warnings" doc:"What to look at before saving"`
	Skipped  []ImportSkip    `json:"skipped" doc:"Entries that are no server that Kontor can use"`
}

// ImportWarning is one thing to look at before saving.
type ImportWarning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Server  string `json:"server,omitempty" doc:"The name of the one that it is about"`
}

// ImportSkip is an entry that was not taken, and why.
type ImportSkip struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
}

// ConfigOf is a configuration with its values as they are: for one that the person
// has just given and that is stored nowhere.
func ConfigOf(s model.Server) ServerConfig {
	enabled := s.Enabled
	return ServerConfig{
		Name: s.Name, FriendlyName: s.FriendlyName, Description: s.Description, Transport: string(s.Transport),
		Command: s.Command, Args: s.Args, Cwd: s.Cwd, Env: openValues(s.Env),
		URL: s.URL, Headers: openValues(s.Headers), BearerToken: Value{Text: s.BearerToken.Text, Plain: s.BearerToken.Plain},
		Enabled: &enabled, EnabledTools: s.EnabledTools, DisabledTools: s.DisabledTools,
		StartTimeoutMS: s.StartTimeout.Milliseconds(), CallTimeoutMS: s.CallTimeout.Milliseconds(),
		CallMaxMS: s.CallMax.Milliseconds(), ElicitationTimeoutMS: s.ElicitationTimeout.Milliseconds(),
		Delivery: s.Delivery,
	}
}

func openValues(values map[string]model.Value) map[string]Value {
	if len(values) == 0 {
		return nil
	}
	out := make(map[string]Value, len(values))
	for name, v := range values {
		out[name] = Value{Text: v.Text, Plain: v.Plain}
	}
	return out
}
