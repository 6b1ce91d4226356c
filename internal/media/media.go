// Package media keeps the bytes that tools answer with, as files named by their
// content, and serves them so that a stranger's bytes can't act as one of
// Kontor's own pages. It knows neither calls nor sessions.
package media

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// URLPrefix is where the files are served.
const URLPrefix = "/api/mcp-media/"

// DefaultMax is the largest file kept, in bytes.
const DefaultMax = 64 << 20

// Store is a flat folder of files.
type Store struct {
	dir string
	max int64
}

// Open makes the folder (0700) if it is missing. Zero max means DefaultMax.
func Open(dir string, max int64) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("media folder: %w", err)
	}
	if max == 0 {
		max = DefaultMax
	}
	return &Store{dir: dir, max: max}, nil
}

// Put keeps data and returns where it is to be had. The same bytes of the same
// type are kept once. Data over the cap is refused with CodeTooLarge.
func (s *Store) Put(data []byte, mimeType string) (model.Media, error) {
	if int64(len(data)) > s.max {
		return model.Media{}, model.Errorf(model.CodeTooLarge,
			"a file of %s is over the limit of %s", Size(int64(len(data))), Size(s.max))
	}
	mimeType = cleanType(mimeType)
	h := sha256.New()
	h.Write([]byte(mimeType + "\x00"))
	h.Write(data)
	file := hex.EncodeToString(h.Sum(nil)[:16]) + extension(mimeType)
	m := model.Media{File: file, URL: URLPrefix + file, MIMEType: mimeType, Size: int64(len(data))}
	path := filepath.Join(s.dir, file)
	if _, err := os.Stat(path); err == nil {
		return m, nil
	}
	if err := write(path, data); err != nil {
		return model.Media{}, &model.Error{Code: model.CodeStorage, Message: unwritten(err), Err: err}
	}
	return m, nil
}

// Open opens a file by its flat name. A name that Put doesn't make is
// CodeNotFound, as is a missing file.
func (s *Store) Open(file string) (*os.File, error) {
	if !fileName.MatchString(file) {
		return nil, model.Errorf(model.CodeNotFound, "no such media file")
	}
	f, err := os.Open(filepath.Join(s.dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, model.Errorf(model.CodeNotFound, "this media file is no longer kept")
	}
	return f, err
}

// Usage counts the files and their bytes.
func (s *Store) Usage() (files int, bytes int64, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, 0, fmt.Errorf("media folder: %w", err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && fileName.MatchString(e.Name()) {
			files++
			bytes += info.Size()
		}
	}
	return files, bytes, nil
}

var fileName = regexp.MustCompile(`^[0-9a-f]{32}\.[a-z0-9]{1,4}$`)

// cleanType reduces a server's claim to a bare type, or to octet-stream.
func cleanType(claim string) string {
	t, _, err := mime.ParseMediaType(claim)
	if err != nil || !strings.Contains(t, "/") {
		return "application/octet-stream"
	}
	return t
}
