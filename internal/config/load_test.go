package config_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kontor.dev/kontor/internal/config"
)

// load reads the configuration of a data folder that holds file, if any.
func load(t *testing.T, dir, file string, env map[string]string, args ...string) (config.Config, error) {
	t.Helper()
	if file != "" {
		if err := os.WriteFile(filepath.Join(dir, config.FileName), []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	fs := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	config.AddFlags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return config.Load(fs, func(name string) (string, bool) {
		if name == "KONTOR_DATA" {
			return dir, true
		}
		value, ok := env[name]
		return value, ok
	})
}

func TestLoad(t *testing.T) {
	t.Parallel()
	everything := `listen = "0.0.0.0:1"
base_url = "https://File.example.org/"
allowed_hosts = ["a.example", "b.example:8443"]
demo = true
log_level = "debug"
log_format = "json"
vite = "http://127.0.0.1:5173"
`
	fromFile := func(c *config.Config) {
		c.Listen, c.BaseURL, c.AllowedHosts = "0.0.0.0:1", "https://file.example.org", []string{"a.example", "b.example:8443"}
		c.Demo, c.LogLevel, c.LogFormat, c.Vite = true, slog.LevelDebug, "json", "http://127.0.0.1:5173"
	}
	tests := map[string]struct {
		file string
		env  map[string]string
		args []string
		want func(*config.Config)
	}{
		"defaults":                {want: func(*config.Config) {}},
		"file":                    {file: everything, want: fromFile},
		"file with mark and CRLF": {file: "\uFEFF" + strings.ReplaceAll(everything, "\n", "\r\n"), want: fromFile},
		"environment beats file": {file: everything,
			env: map[string]string{"KONTOR_LISTEN": "[::1]:2", "KONTOR_ALLOWED_HOSTS": "c.example, d.example,", "KONTOR_DEMO": "false"},
			want: func(c *config.Config) {
				fromFile(c)
				c.Listen, c.AllowedHosts, c.Demo = "[::1]:2", []string{"c.example", "d.example"}, false
			}},
		"flags beat both": {file: everything, env: map[string]string{"KONTOR_LISTEN": "[::1]:2", "KONTOR_DEMO": "true"},
			args: []string{"--listen", "localhost:3", "--demo=false", "--allowed-host", "e.example", "--allowed-host", "f.example", "--log-level", "warn"},
			want: func(c *config.Config) {
				fromFile(c)
				c.Listen, c.Demo, c.AllowedHosts, c.LogLevel = "localhost:3", false, []string{"e.example", "f.example"}, slog.LevelWarn
			}},
		"an empty variable is none": {file: everything, env: map[string]string{"KONTOR_LISTEN": "", "KONTOR_VITE": ""}, want: fromFile},
		"secrets": {env: map[string]string{"KONTOR_PASSWORD_HASH": "$argon2id$v=19$x", "KONTOR_API_TOKEN": "kt_x", "KONTOR_KEY": "abc"},
			want: func(c *config.Config) {
				c.PasswordHash, c.APIToken, c.Key = "$argon2id$v=19$x", "kt_x", "abc"
			}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			want := config.Config{Data: dir, Listen: config.DefaultListen, LogFormat: config.FormatText}
			test.want(&want)
			got, err := load(t, dir, test.file, test.env, test.args...)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("got %s, %v\nwant %s", inJSON(t, got), err, inJSON(t, want))
			}
		})
	}
}

// inJSON shows a configuration, which formats itself as little as it can.
func inJSON(t *testing.T, c config.Config) []byte {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestLoadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file  string
		env   map[string]string
		args  []string
		words []string
	}{
		"misspelt key":           {file: "demo = true\nlisen = \"x\"\n", words: []string{"kontor.toml", "line 2", `"lisen"`, `"listen"`}},
		"dashes":                 {file: "base-url = \"x\"\n", words: []string{"line 1", `"base_url"`}},
		"two unknown keys":       {file: "loglevel = \"x\"\nfoo_bar = 1\n", words: []string{"line 1", `"log_level"`, "line 2", `"foo_bar"`, "listen, base_url"}},
		"a table":                {file: "[server]\nport = 1\n", words: []string{"server"}},
		"a secret in the file":   {file: "key = \"x\"\n", words: []string{"line 1", "KONTOR_KEY"}},
		"no TOML":                {file: "demo = true\nlisten = :80\n", words: []string{"line 2"}},
		"a wrong type":           {file: "\n\ndemo = \"yes\"\n", words: []string{"line 3"}},
		"data in its own file":   {file: "data = \"/x\"\n", words: []string{"--data"}},
		"listen without a port":  {args: []string{"--listen", "127.0.0.1"}, words: []string{"--listen", "host:port"}},
		"listen as an address":   {env: map[string]string{"KONTOR_LISTEN": "http://127.0.0.1:80"}, words: []string{"KONTOR_LISTEN"}},
		"a port out of range":    {args: []string{"--listen", ":70000"}, words: []string{"--listen", "65535"}},
		"base URL with a path":   {file: "base_url = \"https://x.example/kontor\"\n", words: []string{"base_url", "path"}},
		"base URL, other scheme": {args: []string{"--base-url", "ftp://x.example"}, words: []string{"--base-url"}},
		"base URL with a user":   {args: []string{"--base-url", "https://me:hunter22@x.example"}, words: []string{"--base-url", "password"}},
		"a host with a scheme":   {args: []string{"--allowed-host", "https://x.example"}, words: []string{"--allowed-host", "scheme"}},
		"log level":              {args: []string{"--log-level", "loud"}, words: []string{"--log-level", `"loud"`, "debug"}},
		"log format":             {env: map[string]string{"KONTOR_LOG_FORMAT": "xml"}, words: []string{"KONTOR_LOG_FORMAT", "json"}},
		"demo":                   {env: map[string]string{"KONTOR_DEMO": "yes please"}, words: []string{"KONTOR_DEMO", "true"}},
		"two at once":            {args: []string{"--log-level", "loud", "--listen", "x"}, words: []string{"--log-level", "--listen"}},
		"a password as hash":     {env: map[string]string{"KONTOR_PASSWORD_HASH": "hunter22"}, words: []string{"KONTOR_PASSWORD_HASH", "argon2id"}},
		"a token with a break":   {env: map[string]string{"KONTOR_API_TOKEN": "hunter22\n"}, words: []string{"KONTOR_API_TOKEN"}},
		"a missing file":         {args: []string{"--config", "/nowhere/kontor.toml"}, words: []string{"/nowhere/kontor.toml"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := load(t, t.TempDir(), test.file, test.env, test.args...)
			if err == nil {
				t.Fatal("no error")
			}
			for _, word := range test.words {
				if !strings.Contains(err.Error(), word) {
					t.Errorf("error %q doesn't say %q", err, word)
				}
			}
			if strings.Contains(err.Error(), "hunter22") {
				t.Errorf("error %q tells a secret", err)
			}
		})
	}
}

func TestAFileElsewhereMayNameTheFolder(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "my.toml")
	if err := os.WriteFile(path, fmt.Appendf(nil, "data = %q\n", data), 0o600); err != nil {
		t.Fatal(err)
	}
	none := func(string) (string, bool) { return "", false }
	fs := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	config.AddFlags(fs)
	if err := fs.Parse([]string{"--config", path}); err != nil {
		t.Fatal(err)
	}
	if got, err := config.Load(fs, none); err != nil || got.Data != data {
		t.Errorf("data %q, %v, want %q", got.Data, err, data)
	}
}

func TestTheDefaultFolderIsInTheHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	got, err := config.Load(nil, func(string) (string, bool) { return "", false })
	if want := filepath.Join(home, ".local", "share", "kontor"); err != nil || got.Data != want {
		t.Errorf("data %q, %v, want %q", got.Data, err, want)
	}
}

func TestSecretsStayOutOfFormattedText(t *testing.T) {
	t.Parallel()
	c := config.Config{Secrets: config.Secrets{PasswordHash: "canary-1", APIToken: "canary-2", Key: "canary-3"}}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "secrets", c.Secrets, "config", c)
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%v %+v %#v %s", c, c, c, c), fmt.Sprintf("%#v", c.Secrets), string(inJSON(t, c)), log.String()} {
		if strings.Contains(text, "canary") {
			t.Errorf("a secret is in %q", text)
		}
	}
}

func TestPublic(t *testing.T) {
	t.Parallel()
	for listen, want := range map[string]bool{"127.0.0.1:8787": false, "127.9.9.9:1": false, "[::1]:1": false,
		"localhost:1": false, "LOCALHOST:1": false, "[::ffff:127.0.0.1]:1": false,
		":8787": true, "0.0.0.0:1": true, "[::]:1": true, "192.168.1.2:1": true, "10.0.0.1:1": true,
		"kontor.example:1": true, "localhost.example:1": true, "nonsense": true, "": true} {
		if got := config.Public(listen); got != want {
			t.Errorf("Public(%q) = %t, want %t", listen, got, want)
		}
	}
}

func TestMakeFolder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		make  func(t *testing.T, dir string)
		words string
	}{
		"new":                    {make: func(*testing.T, string) {}},
		"empty and open":         {make: func(t *testing.T, dir string) { mkdir(t, dir) }},
		"with the configuration": {make: func(t *testing.T, dir string) { mkdir(t, dir, config.FileName) }},
		"Kontor's":               {make: func(t *testing.T, dir string) { mkdir(t, dir, "kontor.db", "key") }},
		"of other things":        {make: func(t *testing.T, dir string) { mkdir(t, dir, "photo.jpg") }, words: "folder of its own"},
		"a file":                 {make: func(t *testing.T, dir string) { mkdir(t, filepath.Dir(dir), filepath.Base(dir)) }, words: "data folder"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "a", "data")
			test.make(t, dir)
			err := config.Config{Data: dir}.MakeFolder()
			if test.words != "" {
				if err == nil || !strings.Contains(err.Error(), test.words) {
					t.Errorf("error %v, want it to say %q", err, test.words)
				}
				return
			}
			info, statErr := os.Stat(dir)
			if err != nil || statErr != nil || info.Mode().Perm() != 0o700 {
				t.Errorf("MakeFolder: %v; rights %v, want 0700", err, info.Mode())
			}
		})
	}
}

func mkdir(t *testing.T, dir string, files ...string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
