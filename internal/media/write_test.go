package media

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestWhyAFileIsNotStored(t *testing.T) {
	t.Parallel()
	full := &os.PathError{Op: "write", Path: "/data/mcp_media/ab.png123", Err: syscall.ENOSPC}
	denied := &os.PathError{Op: "open", Path: "/data/mcp_media/ab.png123", Err: syscall.EACCES}
	for _, tc := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("cannot write data to tempfile %q: %v", full.Path, full), "The disk is full: the file could not be stored."},
		{fmt.Errorf("cannot create temp file: %v", denied), "The file could not be stored: permission denied"},
		{errors.New("odd"), "The file could not be stored: odd"},
	} {
		if got := unwritten(tc.err); got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

func TestARefusalNamesNoFolder(t *testing.T) {
	t.Parallel()
	s, err := Open(filepath.Join(t.TempDir(), "mcp_media"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(s.dir); err != nil {
		t.Fatal(err)
	}
	_, err = s.Put([]byte("pixels"), "image/png")
	if model.CodeOf(err) != model.CodeStorage || strings.Contains(err.Error(), s.dir) {
		t.Errorf("err = %v", err)
	}
}
