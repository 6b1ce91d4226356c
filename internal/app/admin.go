package app

import (
	"context"
	"errors"
	"time"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/secret"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/web/access"
)

// Admin is what the command line does to a data folder, whether a Kontor runs on
// it or not.
type Admin interface {
	// SetPassword sets the password and signs every browser out; empty removes it.
	SetPassword(ctx context.Context, password string) error
	CreateToken(ctx context.Context, r TokenRequest) (CreatedToken, error)
	Tokens(ctx context.Context) ([]model.Token, error)
	RevokeToken(ctx context.Context, id string) error
	// Import saves servers of another program's configuration.
	Import(ctx context.Context, o ImportOrder) ([]Imported, error)
	// Backup copies the database to path, which is not there yet.
	Backup(ctx context.Context, path string) error
	// RotateKey seals everything with a new key.
	RotateKey(ctx context.Context) error
}

// TokenRequest is a wish for an API token.
type TokenRequest struct {
	Name    string
	Scope   model.Scope
	Expires time.Time // zero for never
}

// CreatedToken holds the token itself, this once.
type CreatedToken struct {
	Value string
	Token model.Token
}

// OpenAdmin reaches the Kontor that runs on the data folder, or opens the folder
// itself when none does. Call done in the end.
func OpenAdmin(ctx context.Context, c config.Config) (admin Admin, done func() error, err error) {
	if r, ok := Reach(ctx, c); ok {
		return r, func() error { return nil }, nil
	}
	if err := c.MakeFolder(); err != nil {
		return nil, nil, err
	}
	lock, err := store.LockFolder(c.Data)
	if err != nil {
		return nil, nil, err
	}
	p := &parts{log: newLog(Options{}, nil)}
	db, err := store.Open(ctx, store.Options{Path: c.Database(), Unlock: p.unlock(c.Data, c.Key)})
	if err != nil {
		return nil, nil, errors.Join(err, lock.Release())
	}
	done = func() error { return errors.Join(db.Close(), lock.Release()) }
	service, err := access.New(access.Options{Store: db, PasswordHash: c.PasswordHash})
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return &local{store: db, access: service, config: c}, done, nil
}

// Restore puts a copy in the place of the database, which it keeps beside; aside
// is where. No Kontor may run on the folder.
func Restore(ctx context.Context, c config.Config, from string) (aside string, err error) {
	if err := c.MakeFolder(); err != nil {
		return "", err
	}
	lock, err := store.LockFolder(c.Data)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	return store.Restore(ctx, c.Database(), from)
}

// local does it on an open database.
type local struct {
	store  *store.Store
	access *access.Service
	config config.Config
}

func (l *local) SetPassword(ctx context.Context, password string) error {
	return l.access.SetPassword(ctx, password, "")
}

func (l *local) CreateToken(ctx context.Context, r TokenRequest) (CreatedToken, error) {
	value, t, err := l.access.CreateToken(ctx, r.Name, r.Scope, r.Expires)
	return CreatedToken{Value: value, Token: t}, err
}

func (l *local) Tokens(ctx context.Context) ([]model.Token, error) { return l.access.Tokens(ctx) }

func (l *local) RevokeToken(ctx context.Context, id string) error {
	return l.access.RevokeToken(ctx, id)
}

func (l *local) Import(ctx context.Context, o ImportOrder) ([]Imported, error) {
	return o.run(ctx, func(ctx context.Context, s model.Server) error {
		if err := s.Validate(); err != nil {
			return err
		}
		s.CreatedAt = time.Now().UTC()
		s.UpdatedAt = s.CreatedAt
		return l.store.InsertServer(ctx, s)
	})
}

func (l *local) Backup(ctx context.Context, path string) error { return l.store.Backup(ctx, path) }

func (l *local) RotateKey(ctx context.Context) error {
	if l.config.Key != "" {
		return model.Errorf(model.CodeConflict, "the key comes from KONTOR_KEY, so it is not in a file that can be changed: unset it first, with the key in the data folder's file `key`")
	}
	rotation, err := secret.NewRotation(l.config.Data)
	if err != nil {
		return err
	}
	if err := l.store.Rekey(ctx, rotation.Box()); err != nil {
		return errors.Join(err, rotation.Abort())
	}
	return rotation.Commit()
}
