package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

const defaultData = "~/.local/share/kontor"

// Load reads the configuration: what is in flags (of AddFlags; nil for none),
// else in the environment that lookup knows, else in the configuration file, else
// the default. An empty variable counts as not set. Every error is in words, for
// the person who starts Kontor.
func Load(flags *pflag.FlagSet, lookup func(string) (string, bool)) (Config, error) {
	getenv := func(name string) string {
		if value, ok := lookup(name); ok {
			return value
		}
		return ""
	}
	cfg := Config{Listen: DefaultListen, LogFormat: FormatText}
	path, asked, err := filePath(flags, getenv)
	if err != nil {
		return Config{}, err
	}
	given, err := readFile(path, asked)
	if err != nil {
		return Config{}, err
	}
	if _, ok := given["data"]; ok && !asked {
		return Config{}, fmt.Errorf("%s: data can't be set in the data folder's own file: use --data or KONTOR_DATA", path)
	}
	var wrong []error
	for _, s := range settings() {
		value, from, ok := s.find(flags, getenv, given, path)
		if !ok {
			continue
		}
		if err := s.set(&cfg, value); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", from, err))
		}
	}
	if cfg.Data == "" && len(wrong) == 0 {
		cfg.Data, err = folder(defaultData)
		wrong = append(wrong, err)
	}
	cfg.Secrets, err = secrets(getenv)
	if err := errors.Join(append(wrong, err)...); err != nil {
		return Config{}, err
	}
	return cfg, nil
}

// find returns a setting's value and where it is from.
func (s setting) find(flags *pflag.FlagSet, getenv func(string) string, given map[string]string, path string) (value, from string, ok bool) {
	if value, ok := s.fromFlag(flags); ok {
		return value, "--" + s.flagName(), true
	}
	if value := getenv(s.variable()); value != "" {
		return value, s.variable(), true
	}
	value, ok = given[s.key]
	return value, path + ": " + s.key, ok
}

// filePath finds the configuration file; asked tells whether it was named.
func filePath(flags *pflag.FlagSet, getenv func(string) string) (path string, asked bool, err error) {
	if flags != nil && flags.Changed(configFlag) {
		return flags.Lookup(configFlag).Value.String(), true, nil
	}
	if path := getenv("KONTOR_CONFIG"); path != "" {
		return path, true, nil
	}
	data := setting{key: "data"}
	value, from, ok := data.find(flags, getenv, nil, "")
	if !ok {
		value, from = defaultData, "data folder"
	}
	dir, err := folder(value)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", from, err)
	}
	return filepath.Join(dir, FileName), false, nil
}

func secrets(getenv func(string) string) (Secrets, error) {
	s := Secrets{PasswordHash: getenv("KONTOR_PASSWORD_HASH"), APIToken: getenv("KONTOR_API_TOKEN"), Key: getenv("KONTOR_KEY")}
	if s.PasswordHash != "" && !strings.HasPrefix(s.PasswordHash, "$argon2id$") {
		return Secrets{}, errors.New("KONTOR_PASSWORD_HASH is no argon2id hash (it begins with $argon2id$)")
	}
	if strings.ContainsAny(s.APIToken, " \t\r\n") {
		return Secrets{}, errors.New("KONTOR_API_TOKEN holds a space or a line break: a token can't")
	}
	return s, nil
}
