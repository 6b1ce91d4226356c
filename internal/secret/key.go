package secret

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"

	"kontor.dev/kontor/internal/model"
)

// The key files of a data folder. nextName exists only while the key is changed.
const (
	keyName  = "key"
	nextName = "key.next"
)

// KeyOptions of OpenKey.
type KeyOptions struct {
	// Dir is the data folder, which exists.
	Dir string
	// Env is the value of KONTOR_KEY; empty when it isn't set. It beats the file.
	Env string
	// Check is the check value kept in the database; empty in a new one.
	Check string
	// Sealed says that the database holds sealed values.
	Sealed bool
	// Log hears of a key that was made, of rights that were tightened, and of a
	// key change that was completed; nil for none.
	Log *slog.Logger
}

// OpenKey finds the key: KONTOR_KEY, else the key file, which it makes (0600)
// when there is none and nothing is sealed yet. A key that is missing or isn't
// the one that the values were sealed with gives a locked box, whose Problem says
// what to do: nothing is made or overwritten then, and bringing back the right
// key makes all well. An error is for what can't be right at all: a KONTOR_KEY
// or a file that holds no key, a file that can't be read.
//
// A key file that others may read is tightened to 0600, and the log says so.
func OpenKey(o KeyOptions) (*Box, error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Env != "" {
		key, err := ParseKey(o.Env)
		if err != nil {
			return nil, model.Errorf(model.CodeInvalid, "KONTOR_KEY isn't a key: %w", err)
		}
		return o.verified(key, "KONTOR_KEY is not the key that the stored secrets were sealed with. Set the right one and start again.")
	}
	if err := o.finishChange(); err != nil {
		return nil, err
	}
	path := filepath.Join(o.Dir, keyName)
	key, err := o.readKey(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && o.Sealed:
		return locked("The key file %s is missing, and the stored secrets can't be read without it. Bring it back from a backup, or set KONTOR_KEY, and start again.", path), nil
	case errors.Is(err, fs.ErrNotExist):
		return o.makeKey(path)
	case err != nil:
		return nil, err
	}
	return o.verified(key, "The key file "+path+" is not the one that the stored secrets were sealed with. Bring back the right one and start again.")
}

func (o KeyOptions) verified(key []byte, words string) (*Box, error) {
	box, err := NewBox(key)
	if err != nil {
		return nil, err
	}
	if o.Sealed && o.Check != "" && !box.Verify(o.Check) {
		return locked("%s", words), nil
	}
	return box, nil
}

func (o KeyOptions) makeKey(path string) (*Box, error) {
	key := newKey()
	if err := writeKey(path, key); err != nil {
		return nil, err
	}
	o.Log.Info("made a key for secrets: keep a copy of it, apart from the database's", "path", path)
	return NewBox(key)
}

func (o KeyOptions) readKey(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if loose := info.Mode().Perm() &^ 0o600; loose != 0 && !permissionless {
		if err := os.Chmod(path, 0o600); err != nil {
			return nil, model.Errorf(model.CodeInvalid, "Others may read the key file %s, and its rights can't be changed: make it yours alone (chmod 600). %w", path, err)
		}
		o.Log.Warn("others could read the key file: its rights are now 0600", "path", path, "was", info.Mode().Perm().String())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return nil, model.Errorf(model.CodeInvalid, "The key file %s holds no key: %w", path, err)
	}
	return key, nil
}

// ParseKey reads a key as KONTOR_KEY and the key file hold it: base64 of 32
// bytes, in either alphabet, padded or not. Nothing is derived from other texts:
// a passphrase would only look like a key.
func ParseKey(text string) ([]byte, error) {
	text = strings.TrimRight(strings.TrimSpace(text), "=")
	text = strings.NewReplacer("-", "+", "_", "/").Replace(text)
	key, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(key) != chacha20poly1305.KeySize {
		// The cause would quote a byte of the key.
		return nil, errors.New("it must be the base64 of 32 bytes, as `openssl rand -base64 32` makes it")
	}
	return key, nil
}

func newKey() []byte {
	key := make([]byte, chacha20poly1305.KeySize)
	rand.Read(key) // never fails: crypto/rand ends the program instead
	return key
}

// writeKey makes a key file that wasn't there, whole or not at all.
func writeKey(path string, key []byte) error {
	partial := path + ".partial"
	file, err := os.OpenFile(partial, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	_, err = file.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	// A link, unlike a rename, never replaces a key.
	err = os.Link(partial, path)
	if err := errors.Join(err, os.Remove(partial)); err != nil {
		return fmt.Errorf("key file: %w", err)
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// syncFolder makes the names in a folder outlive a power cut, where the system
// can: not every one syncs folders.
func syncFolder(path string) {
	if folder, err := os.Open(path); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
