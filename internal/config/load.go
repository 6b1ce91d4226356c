package config

import (
	"errors"
	"fmt"
	"os"
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
	cfg := Config{Listen: DefaultListen, LogFormat: FormatText}
	path, asked, err := filePath(flags, lookup)
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
		value, from, ok := s.find(flags, lookup, given, path)
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
	cfg.Secrets, err = secrets(lookup)
	if err := errors.Join(append(wrong, err)...); err != nil {
		return Config{}, err
	}
	return cfg, nil
}

// find returns a setting's value and where it is from.
func (s setting) find(flags *pflag.FlagSet, lookup func(string) (string, bool), given map[string]string, path string) (value, from string, ok bool) {
	if value, ok := s.fromFlag(flags); ok {
		return value, "--" + s.flagName(), true
	}
	if value, _ := lookup(s.variable()); value != "" {
		return value, s.variable(), true
	}
	value, ok = given[s.key]
	return value, path + ": " + s.key, ok
}

// filePath finds the configuration file; asked tells whether it was named.
func filePath(flags *pflag.FlagSet, lookup func(string) (string, bool)) (path string, asked bool, err error) {
	if flags != nil && flags.Changed(configFlag) {
		return flags.Lookup(configFlag).Value.String(), true, nil
	}
	if path, _ := lookup("KONTOR_CONFIG"); path != "" {
		return path, true, nil
	}
	data := setting{key: "data"}
	value, from, ok := data.find(flags, lookup, nil, "")
	if !ok {
		value, from = defaultData, "data folder"
	}
	dir, err := folder(value)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", from, err)
	}
	return filepath.Join(dir, FileName), false, nil
}

func secrets(lookup func(string) (string, bool)) (Secrets, error) {
	var s Secrets
	s.PasswordHash, _ = lookup("KONTOR_PASSWORD_HASH")
	s.APIToken, _ = lookup("KONTOR_API_TOKEN")
	s.Key, _ = lookup("KONTOR_KEY")
	if s.PasswordHash != "" && !strings.HasPrefix(s.PasswordHash, "$argon2id$") {
		return Secrets{}, errors.New("KONTOR_PASSWORD_HASH is no argon2id hash: make one with `kontor password --hash`")
	}
	if strings.ContainsAny(s.APIToken, " \t\r\n") {
		return Secrets{}, errors.New("KONTOR_API_TOKEN holds a space or a line break: a token can't")
	}
	return s, nil
}

// MakeFolder makes the data folder and takes others' rights to it away.
func (c Config) MakeFolder() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if err := os.Chmod(c.Data, 0o700); err != nil {
		return fmt.Errorf("data folder %s is not yours alone, and its rights can't be changed: %w", c.Data, err)
	}
	return nil
}
