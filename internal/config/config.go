// Package config gathers what Kontor is started with. It owns the names of the
// settings and their order: flags, then environment (KONTOR_*), then
// kontor.toml, then defaults. It refuses to know what anything does with them,
// and what is set in the browser: that lies in the database.
package config

import "log/slog"

// The defaults.
const (
	DefaultListen = "127.0.0.1:8787"
	// FileName is the configuration file's in the data folder.
	FileName = "kontor.toml"
)

// Config is what one Kontor is started with. Load has checked it.
type Config struct {
	// Data is the data folder, absolute.
	Data string
	// Listen is host:port.
	Listen string
	// BaseURL is where browsers reach Kontor, without a slash at the end; empty
	// for the address that it listens on.
	BaseURL string
	// AllowedHosts are names, besides those of loopback and of BaseURL, that a
	// request's Host may bear.
	AllowedHosts []string
	// Demo adds the demo server.
	Demo bool
	// LogLevel of Kontor's own log.
	LogLevel slog.Level
	// LogFormat is FormatText or FormatJSON.
	LogFormat string
	// Vite is the address of the development server that serves the SPA; empty
	// for the built one.
	Vite string

	// Secrets come from the environment alone: a flag is seen in every list of
	// processes, and a file is copied about.
	Secrets
}

// Secrets never leave the process: not in a log, an error or an answer.
type Secrets struct {
	// PasswordHash is KONTOR_PASSWORD_HASH, argon2id in PHC form.
	PasswordHash string `json:"-"`
	// APIToken is KONTOR_API_TOKEN, accepted with full access.
	APIToken string `json:"-"`
	// Key is KONTOR_KEY as given; package secret reads it.
	Key string `json:"-"`
}

// LogValue keeps the secrets out of a log that a Config gets into.
func (Secrets) LogValue() slog.Value { return slog.StringValue("[redacted]") }

// GoString keeps the secrets out of text formatted with %#v.
func (Secrets) GoString() string { return "[redacted]" }

// String keeps the secrets out of formatted text.
func (Secrets) String() string { return "[redacted]" }

// The formats of the log.
const (
	FormatText = "text"
	FormatJSON = "json"
)
