package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// file is kontor.toml. Its keys are those of settings.
type file struct {
	Data         *string   `toml:"data"`
	Listen       *string   `toml:"listen"`
	BaseURL      *string   `toml:"base_url"`
	AllowedHosts *[]string `toml:"allowed_hosts"`
	Demo         *bool     `toml:"demo"`
	LogLevel     *string   `toml:"log_level"`
	LogFormat    *string   `toml:"log_format"`
	Vite         *string   `toml:"vite"`
}

// readFile reads the settings that are in the file, by key. A missing file has
// none, unless it was asked for.
func readFile(path string, asked bool) (map[string]string, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) && !asked {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration file: %w", err)
	}
	var f file
	// Editors on Windows put a byte order mark first.
	decoder := toml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(content, []byte("\uFEFF"))))
	if err := decoder.DisallowUnknownFields().Decode(&f); err != nil {
		return nil, fmt.Errorf("%s %w", path, fileProblem(err))
	}
	return f.given(), nil
}

func (f file) given() map[string]string {
	given := make(map[string]string)
	for key, value := range map[string]*string{"data": f.Data, "listen": f.Listen, "base_url": f.BaseURL,
		"log_level": f.LogLevel, "log_format": f.LogFormat, "vite": f.Vite} {
		if value != nil {
			given[key] = *value
		}
	}
	if f.AllowedHosts != nil {
		given["allowed_hosts"] = strings.Join(*f.AllowedHosts, ",")
	}
	if f.Demo != nil {
		given["demo"] = strconv.FormatBool(*f.Demo)
	}
	return given
}

// fileProblem puts the decoder's error into words that name the line.
func fileProblem(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) {
		var all []error
		for _, e := range unknown.Errors {
			line, _ := e.Position()
			all = append(all, unknownKey(line, strings.Join(e.Key(), ".")))
		}
		return errors.Join(all...)
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, column := wrong.Position()
		return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(wrong.Error(), "toml: "))
	}
	return err
}

func unknownKey(line int, key string) error {
	switch key {
	case "password_hash", "api_token", "key":
		return fmt.Errorf("line %d: %q is a secret: set KONTOR_%s in the environment instead", line, key, strings.ToUpper(key))
	}
	var keys []string
	for _, s := range settings() {
		keys = append(keys, s.key)
	}
	if near := nearest(key, keys); near != "" {
		return fmt.Errorf("line %d: unknown key %q: did you mean %q?", line, key, near)
	}
	return fmt.Errorf("line %d: unknown key %q: there are %s", line, key, strings.Join(keys, ", "))
}

// nearest returns the name that key is likely a misspelling of: at most a third
// of it differs. Dashes are written where underscores belong.
func nearest(key string, names []string) string {
	key = strings.ToLower(strings.ReplaceAll(key, "-", "_"))
	best, least := "", len(key)/3+1
	for _, name := range names {
		if d := distance(key, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
