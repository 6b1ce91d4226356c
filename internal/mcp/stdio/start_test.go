//go:build unix

package stdio_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestTheCommandIsFoundInTheServersOwnPATH(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name string, mode fs.FileMode) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte("#!/bin/sh\nexec cat\n"), mode); err != nil {
			t.Fatal(err)
		}
		return file
	}
	absolute := write("server", 0o755)
	write("plain", 0o644)
	tests := map[string]struct {
		command, dir, path string
		want               []string // parts of the error; none if it starts
		is                 error
	}{
		"in PATH":             {"server", "", "/nowhere:" + dir, nil, nil},
		"absolute":            {absolute, "", "/usr/bin", nil, nil},
		"relative to dir":     {"./server", dir, "/usr/bin", nil, nil},
		"not in PATH":         {"server", "", "/usr/bin:/nowhere", []string{`"server"`, `"/usr/bin:/nowhere"`}, fs.ErrNotExist},
		"no PATH":             {"server", "", "", []string{`"server"`, "no PATH"}, fs.ErrNotExist},
		"relative PATH":       {"server", dir, ".:", []string{`"server"`, `".:"`}, fs.ErrNotExist},
		"no such file":        {"/nowhere/server", "", "/usr/bin", []string{`"/nowhere/server"`, "not exist"}, fs.ErrNotExist},
		"no permission":       {dir + "/plain", "", "", []string{"plain", "permission"}, fs.ErrPermission},
		"a folder":            {dir, "", "", []string{"permission"}, fs.ErrPermission},
		"no working folder":   {absolute, dir + "/none", "", []string{"working directory", "/none"}, nil},
		"working folder file": {absolute, absolute, "", []string{"working directory"}, nil},
		"nothing":             {"", "", "/usr/bin", []string{"no command"}, nil},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			o := stdio.Options{Command: test.command, Dir: test.dir}
			if test.path != "" {
				o.Env = []string{"PATH=/overridden", "PATH=" + test.path}
			}
			if o.Dir == "" && test.want == nil { // cat itself
				o.Env = append(o.Env, "PATH="+test.path+":/usr/bin:/bin")
			}
			transport, err := stdio.Dialer(o)(t.Context(), wire.Receiver{})
			if err == nil {
				defer transport.Close()
			}
			if (err == nil) != (test.want == nil) {
				t.Fatalf("got %v", err)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("want %q in %q", part, err)
				}
			}
			if test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("want %v, got %v", test.is, err)
			}
		})
	}
}

func TestDialingWithAnEndedContextStartsNothing(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("stopped")
	cancel(reason)
	if _, err := stdio.Dialer(stdio.Options{Command: os.Args[0]})(ctx, wire.Receiver{}); !errors.Is(err, reason) {
		t.Errorf("want %v, got %v", reason, err)
	}
}
