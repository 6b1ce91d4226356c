package secret

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Rotation changes the key file's key. The new key lies in the folder before
// anything is sealed with it, and takes the old one's place only after: a crash
// at any moment leaves the key that the values need, and OpenKey finds it.
type Rotation struct {
	dir string
	box *Box
}

// NewRotation makes the next key. The caller seals every value with Box, keeps
// its CheckValue, and then calls Commit; or Abort, when that failed.
func NewRotation(dir string) (*Rotation, error) {
	key := newKey()
	path := filepath.Join(dir, nextName)
	// One that a crash left behind opens nothing: OpenKey would have taken it.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("next key: %w", err)
	}
	if err := writeKey(path, key); err != nil {
		return nil, err
	}
	box, err := NewBox(key)
	if err != nil {
		return nil, err
	}
	return &Rotation{dir: dir, box: box}, nil
}

// Box seals with the next key.
func (r *Rotation) Box() *Box { return r.box }

// Commit puts the next key in the place of the old one.
func (r *Rotation) Commit() error {
	if err := os.Rename(filepath.Join(r.dir, nextName), filepath.Join(r.dir, keyName)); err != nil {
		return fmt.Errorf("change the key file: %w", err)
	}
	syncFolder(r.dir)
	return nil
}

// Abort removes the next key.
func (r *Rotation) Abort() error {
	if err := os.Remove(filepath.Join(r.dir, nextName)); err != nil {
		return fmt.Errorf("remove the next key: %w", err)
	}
	return nil
}

// finishChange ends a Rotation that a crash cut short: the next key becomes the
// key when it is the one that the database's values are sealed with. Otherwise it
// stays where it is, until the next Rotation: a key is not thrown away on a guess.
func (o KeyOptions) finishChange() error {
	r := Rotation{dir: o.Dir}
	key, err := o.readKey(filepath.Join(o.Dir, nextName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if r.box, err = NewBox(key); err != nil {
		return err
	}
	if !r.box.Verify(o.Check) {
		return nil
	}
	o.Log.Info("completed a change of the key that was interrupted")
	return r.Commit()
}
