package secret_test

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/secret"
)

func openKey(t *testing.T, o secret.KeyOptions) *secret.Box {
	t.Helper()
	box, err := secret.OpenKey(o)
	if err != nil {
		t.Fatalf("OpenKey: %v", err)
	}
	return box
}

func TestBoxOpensWhatItSealed(t *testing.T) {
	t.Parallel()
	box := openKey(t, secret.KeyOptions{Dir: t.TempDir()})
	other := openKey(t, secret.KeyOptions{Dir: t.TempDir()})
	for _, plain := range []string{"", "x", "line\nbreak\x00ü"} {
		sealed, err := box.Seal([]byte(plain), "a")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := box.Open(sealed, "a"); err != nil || string(got) != plain {
			t.Errorf("Open = %q, %v, want %q", got, err, plain)
		}
		again, err := box.Seal([]byte(plain), "a")
		if err != nil || bytes.Equal(again, sealed) {
			t.Errorf("sealed twice alike (%v)", err)
		}
		turned := bytes.Clone(sealed)
		turned[len(turned)-1] ^= 1
		versioned := bytes.Clone(sealed)
		versioned[0]++
		for name, try := range map[string]func() ([]byte, error){
			"another context": func() ([]byte, error) { return box.Open(sealed, "b") },
			"another key":     func() ([]byte, error) { return other.Open(sealed, "a") },
			"changed":         func() ([]byte, error) { return box.Open(turned, "a") },
			"another version": func() ([]byte, error) { return box.Open(versioned, "a") },
			"cut":             func() ([]byte, error) { return box.Open(sealed[:20], "a") },
			"nothing":         func() ([]byte, error) { return box.Open(nil, "a") },
		} {
			if got, err := try(); model.CodeOf(err) != secret.CodeKey || got != nil {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}

func TestTheKeyFileIsMadeOnceAndFoundAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := openKey(t, secret.KeyOptions{Dir: dir})
	check := first.CheckValue()
	info, err := os.Stat(filepath.Join(dir, "key"))
	if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("key file %v, %v, want rights 0600", info, err)
	}
	again := openKey(t, secret.KeyOptions{Dir: dir, Check: check, Sealed: true})
	if again.Problem() != nil || !again.Verify(check) {
		t.Errorf("found again: %v", again.Problem())
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("folder holds %v, %v", entries, err)
	}
}

func TestOpenKey(t *testing.T) {
	t.Parallel()
	text := func(b byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{b}, 32)) }
	boxOf := func(b byte) *secret.Box {
		box, err := secret.NewBox(bytes.Repeat([]byte{b}, 32))
		if err != nil {
			t.Fatal(err)
		}
		return box
	}
	tests := map[string]struct {
		file, env string
		check     byte // the key that the check value is of; 0 for none
		sealed    bool
		want      byte   // the key of an open box; 0 for one that was made
		locked    string // what a locked box says
		wrong     string // what an error says
	}{
		"nothing there":                       {want: 0},
		"file":                                {file: text(1), want: 1},
		"file, verified":                      {file: text(1), check: 1, sealed: true, want: 1},
		"environment":                         {env: text(2), want: 2},
		"environment beats file":              {env: text(2), file: text(1), want: 2},
		"environment, for URLs and unpadded":  {env: strings.TrimRight(base64.URLEncoding.EncodeToString(bytes.Repeat([]byte{0xfb}, 32)), "="), want: 0xfb},
		"file with spaces":                    {file: " " + text(1) + "\r\n", want: 1},
		"another key while nothing is sealed": {file: text(1), check: 3, want: 1},
		"no check value":                      {file: text(1), sealed: true, want: 1},
		"missing file":                        {check: 1, sealed: true, locked: "is missing"},
		"missing file, no check value":        {sealed: true, locked: "is missing"},
		"wrong file":                          {file: text(1), check: 3, sealed: true, locked: "is not the one"},
		"wrong environment":                   {env: text(2), file: text(3), check: 3, sealed: true, locked: "KONTOR_KEY is not the key"},
		"short environment":                   {env: "c2hvcnQ=", wrong: "base64 of 32 bytes"},
		"a passphrase":                        {env: "correct horse battery staple", wrong: "base64 of 32 bytes"},
		"long environment":                    {env: base64.StdEncoding.EncodeToString(make([]byte, 33)), wrong: "base64 of 32 bytes"},
		"empty file":                          {file: "\n", wrong: "holds no key"},
		"garbled file":                        {file: "????", wrong: "holds no key"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path := filepath.Join(dir, "key")
			if test.file != "" {
				if err := os.WriteFile(path, []byte(test.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			o := secret.KeyOptions{Dir: dir, Env: test.env, Sealed: test.sealed}
			if test.check != 0 {
				o.Check = boxOf(test.check).CheckValue()
			}
			box, err := secret.OpenKey(o)
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) || test.env != "" && strings.Contains(err.Error(), test.env) {
					t.Errorf("error %v, want it to say %q and not the key", err, test.wrong)
				}
				return
			}
			if err != nil {
				t.Fatalf("OpenKey: %v", err)
			}
			content, _ := os.ReadFile(path)
			if test.locked != "" {
				if box.Problem() == nil || !strings.Contains(box.Problem().Error(), test.locked) {
					t.Errorf("problem %v, want it to say %q", box.Problem(), test.locked)
				}
				_, sealErr := box.Seal([]byte("x"), "a")
				_, openErr := box.Open([]byte("x"), "a")
				if model.CodeOf(sealErr) != secret.CodeKey || model.CodeOf(openErr) != secret.CodeKey || box.CheckValue() != "" {
					t.Errorf("a locked box seals (%v) or opens (%v)", sealErr, openErr)
				}
				if string(content) != test.file {
					t.Errorf("key file is now %q, was %q", content, test.file)
				}
				return
			}
			if box.Problem() != nil {
				t.Fatalf("locked: %v", box.Problem())
			}
			if test.want != 0 && !box.Verify(boxOf(test.want).CheckValue()) {
				t.Error("another key than wanted")
			}
			if test.want == 0 && len(content) == 0 {
				t.Error("no key file was made")
			}
		})
	}
}

func TestALooseKeyFileIsTightened(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("file modes mean nothing there")
	}
	dir := t.TempDir()
	openKey(t, secret.KeyOptions{Dir: dir})
	path := filepath.Join(dir, "key")
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	openKey(t, secret.KeyOptions{Dir: dir, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("rights %v, %v, want 0600", info.Mode(), err)
	}
	if !strings.Contains(log.String(), "0600") {
		t.Errorf("the log doesn't say so: %q", log.String())
	}
}

func TestAKeyChangeSurvivesACrashAtAnyMoment(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		sealedWithNext bool // the database was sealed anew before the crash
		commit, abort  bool
	}{
		"before the database":  {},
		"after the database":   {sealedWithNext: true},
		"after the key's move": {sealedWithNext: true, commit: true},
		"given up":             {abort: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			check := openKey(t, secret.KeyOptions{Dir: dir}).CheckValue()
			rotation, err := secret.NewRotation(dir)
			if err != nil {
				t.Fatal(err)
			}
			if rotation.Box().Verify(check) {
				t.Fatal("the next key is the old one")
			}
			if test.sealedWithNext {
				check = rotation.Box().CheckValue()
			}
			if test.commit {
				err = rotation.Commit()
			}
			if test.abort {
				err = rotation.Abort()
			}
			if err != nil {
				t.Fatal(err)
			}
			box := openKey(t, secret.KeyOptions{Dir: dir, Check: check, Sealed: true})
			if box.Problem() != nil || !box.Verify(check) {
				t.Errorf("after the start: %v", box.Problem())
			}
			if _, err := secret.NewRotation(dir); err != nil {
				t.Errorf("the next change: %v", err)
			}
		})
	}
}
