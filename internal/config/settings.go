package config

import (
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// kind is the shape of a setting's value.
type kind int

const (
	text kind = iota
	yesNo
	list
)

// setting is one line of the configuration. Its key is its name in kontor.toml;
// the variable and the flag follow from it.
type setting struct {
	key   string
	kind  kind
	usage string
	// flag, when the flag isn't the key with dashes.
	flag string
	// set checks a value and puts it in place. A list comes with commas.
	set func(*Config, string) error
}

func (s setting) flagName() string {
	if s.flag != "" {
		return s.flag
	}
	return strings.ReplaceAll(s.key, "_", "-")
}

func (s setting) variable() string { return "KONTOR_" + strings.ToUpper(s.key) }

// settings lists every setting but the secrets.
func settings() []setting {
	return []setting{
		{key: "data", usage: "data folder (default ~/.local/share/kontor)",
			set: func(c *Config, v string) (err error) { c.Data, err = folder(v); return err }},
		{key: "listen", usage: "address to listen on, host:port (default " + DefaultListen + ")",
			set: func(c *Config, v string) error { c.Listen = v; return validListen(v) }},
		{key: "base_url", usage: "address that browsers reach Kontor at, when it is behind a proxy",
			set: func(c *Config, v string) (err error) { c.BaseURL, err = origin(v); return err }},
		{key: "allowed_hosts", kind: list, flag: "allowed-host", usage: "further host name that requests may name; can be repeated",
			set: func(c *Config, v string) (err error) { c.AllowedHosts, err = hosts(v); return err }},
		{key: "demo", kind: yesNo, usage: "add the demo server",
			set: func(c *Config, v string) (err error) { c.Demo, err = boolean(v); return err }},
		{key: "log_level", usage: "debug, info, warn or error (default info)",
			set: func(c *Config, v string) (err error) { c.LogLevel, err = level(v); return err }},
		{key: "log_format", usage: "text or json (default text)",
			set: func(c *Config, v string) error { c.LogFormat = v; return oneOf(v, FormatText, FormatJSON) }},
		{key: "vite", usage: "address of the development server of the browser part",
			set: func(c *Config, v string) (err error) { c.Vite, err = origin(v); return err }},
	}
}

// configFlag names the configuration file; it is no setting of that file.
const configFlag = "config"

// AddFlags adds the settings' flags to fs, for Load to read.
func AddFlags(fs *pflag.FlagSet) {
	fs.String(configFlag, "", "configuration file (default "+FileName+" in the data folder)")
	for _, s := range settings() {
		switch s.kind {
		case yesNo:
			fs.Bool(s.flagName(), false, s.usage)
		case list:
			fs.StringSlice(s.flagName(), nil, s.usage)
		default:
			fs.String(s.flagName(), "", s.usage)
		}
	}
}

// fromFlag returns a flag's value when it was given.
func (s setting) fromFlag(fs *pflag.FlagSet) (string, bool) {
	name := s.flagName()
	if fs == nil || !fs.Changed(name) {
		return "", false
	}
	if s.kind == list {
		values, err := fs.GetStringSlice(name)
		return strings.Join(values, ","), err == nil
	}
	return fs.Lookup(name).Value.String(), true
}

func boolean(v string) (bool, error) {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return false, fmt.Errorf("%q is neither true nor false", v)
	}
	return b, nil
}

func level(v string) (slog.Level, error) {
	var l slog.Level
	if err := oneOf(v, "debug", "info", "warn", "error"); err != nil {
		return l, err
	}
	return l, l.UnmarshalText([]byte(v))
}

func oneOf(v string, allowed ...string) error {
	for _, a := range allowed {
		if v == a {
			return nil
		}
	}
	return fmt.Errorf("%q is unknown: use %s", v, strings.Join(allowed, ", "))
}
