package web

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/servers/paste"
	"kontor.dev/kontor/internal/web/wire"
)

type importInput struct {
	Body struct {
		Text string `json:"text,omitempty" doc:"Anything: an address, a command line, JSON or TOML of another host"`
		Path string `json:"path,omitempty" doc:"A configuration file on the machine that Kontor runs on: .json, .jsonc or .toml; ~/ is its owner's home"`
	}
}

type importOutput struct{ Body wire.Import }

func (s *Server) importServers(_ context.Context, in *importInput) (*importOutput, error) {
	result, err := readImport(in.Body.Text, in.Body.Path)
	if err != nil {
		return nil, err
	}
	out := wire.Import{
		Format: string(result.Format), Servers: make([]wire.ServerConfig, len(result.Servers)),
		Warnings: make([]wire.ImportWarning, len(result.Warnings)), Skipped: make([]wire.ImportSkip, len(result.Skipped)),
	}
	for i, config := range result.Servers {
		out.Servers[i] = wire.ConfigOf(config)
	}
	for i, w := range result.Warnings {
		out.Warnings[i] = wire.ImportWarning(w)
	}
	for i, sk := range result.Skipped {
		out.Skipped[i] = wire.ImportSkip(sk)
	}
	return &importOutput{out}, nil
}

func readImport(text, path string) (paste.Result, error) {
	switch {
	case text != "" && path != "":
		return paste.Result{}, model.Errorf(model.CodeInvalid, "give a text or a path, not both")
	case path == "":
		return paste.Text(text)
	}
	text, err := readConfigFile(path)
	if err != nil {
		return paste.Result{}, err
	}
	return paste.Document(text)
}

// readConfigFile reads another host's configuration. Only a regular file with the
// ending of one is opened: no pipe that blocks, no device, no key that somebody was
// talked into naming.
func readConfigFile(path string) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", model.Errorf(model.CodeInvalid, "this Kontor has no home folder: give the whole path")
		}
		path = filepath.Join(home, rest)
	}
	switch {
	case !filepath.IsAbs(path):
		return "", model.Errorf(model.CodeInvalid, "give the whole path, from / or ~/ on")
	case !slices.Contains([]string{".json", ".jsonc", ".json5", ".toml"}, strings.ToLower(filepath.Ext(path))):
		return "", model.Errorf(model.CodeInvalid, "only files that end with .json, .jsonc or .toml are read")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", model.Errorf(model.CodeInvalid, "there is no file %s", path)
	case err != nil:
		return "", model.Errorf(model.CodeInvalid, "%s can't be read", path)
	case !info.Mode().IsRegular():
		return "", model.Errorf(model.CodeInvalid, "%s is no file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", model.Errorf(model.CodeInvalid, "%s can't be read", path)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, paste.MaxBytes+1))
	if err != nil {
		return "", model.Errorf(model.CodeInvalid, "%s can't be read", path)
	}
	return string(data), nil
}
