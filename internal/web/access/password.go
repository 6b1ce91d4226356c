package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

const settingPassword = "password_hash"

// The lengths that a password may have, in characters.
const (
	MinPassword = 8
	maxPassword = 1024
)

// ErrPassword is the answer to a wrong password.
var ErrPassword = model.Errorf(model.CodeDenied, "that is not the password")

// WaitError is the answer to one who tried too often. Wait is in whole seconds.
type WaitError struct{ Wait time.Duration }

// Error says how long to wait, and the way around.
func (e *WaitError) Error() string {
	return fmt.Sprintf("too many wrong passwords: try again in %s, or use a link from `kontor link`", e.Wait)
}

// PasswordFixed tells whether the password comes from the environment.
func (s *Service) PasswordFixed() bool { return s.o.PasswordHash != "" }

// PasswordSet tells whether there is a password.
func (s *Service) PasswordSet(ctx context.Context) (bool, error) {
	hash, err := s.passwordHash(ctx)
	return hash != "", err
}

func (s *Service) passwordHash(ctx context.Context) (string, error) {
	if s.o.PasswordHash != "" {
		return s.o.PasswordHash, nil
	}
	raw, err := s.o.Store.Setting(ctx, settingPassword)
	if model.CodeOf(err) == model.CodeNotFound {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var hash string
	if err := json.Unmarshal(raw, &hash); err != nil {
		return "", fmt.Errorf("setting %s: %w", settingPassword, err)
	}
	return hash, nil
}

// checkPassword compares, and slows down who is wrong.
func (s *Service) checkPassword(ctx context.Context, client, password string) error {
	hash, err := s.passwordHash(ctx)
	if err != nil {
		return err
	}
	if hash == "" {
		return model.Errorf(model.CodeDenied, "no password is set: use a link from `kontor link`")
	}
	p, err := parsePHC(hash)
	if err != nil {
		return fmt.Errorf("stored password: %w", err)
	}
	// Counted as wrong before it is compared: many tries at once count as many.
	if wait := s.slow.try(client, time.Now()); wait > 0 {
		return &WaitError{wholeSeconds(wait)}
	}
	if len(password) > maxPassword*utf8.UTFMax || !s.matches(p, password) {
		return ErrPassword
	}
	s.slow.right(client)
	return nil
}

func (s *Service) matches(p phc, password string) bool {
	s.verify.Lock()
	defer s.verify.Unlock()
	return p.matches(password)
}

// ChangePassword sets the password, after a look at the current one when there
// is one, and signs out every session but keep: who knew the old one is out. An
// empty password removes it.
func (s *Service) ChangePassword(ctx context.Context, client, current, password, keep string) error {
	set, err := s.PasswordSet(ctx)
	if err != nil {
		return err
	}
	if set && !s.PasswordFixed() {
		if err := s.checkPassword(ctx, client, current); err != nil {
			return err
		}
	}
	return s.SetPassword(ctx, password, keep)
}

// SetPassword is ChangePassword without the look at the current one, for who
// owns the machine.
func (s *Service) SetPassword(ctx context.Context, password, keep string) error {
	if s.PasswordFixed() {
		return model.Errorf(model.CodeConflict, "the password comes from KONTOR_PASSWORD_HASH: change it there and restart")
	}
	hash := ""
	if password != "" {
		if n := utf8.RuneCountInString(password); n < MinPassword || n > maxPassword {
			return model.Errorf(model.CodeInvalid, "a password has %d to %d characters", MinPassword, maxPassword)
		}
		hash = HashPassword(password)
	}
	value, err := json.Marshal(hash)
	if err != nil {
		return fmt.Errorf("password: %w", err)
	}
	if err := s.o.Store.SetSetting(ctx, settingPassword, value); err != nil {
		return err
	}
	s.slow.forget()
	err = s.endOtherSessions(ctx, keep)
	s.o.Changed()
	return err
}

// Wait returns how long a *WaitError in err's chain asks to wait.
func Wait(err error) (time.Duration, bool) {
	var w *WaitError
	if errors.As(err, &w) {
		return w.Wait, true
	}
	return 0, false
}
