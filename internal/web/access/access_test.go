package access_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store/storetest"
	"kontor.dev/kontor/internal/web/access"
)

func service(t *testing.T, o access.Options) *access.Service {
	t.Helper()
	if o.Store == nil {
		o.Store = storetest.New(t)
	}
	s, err := access.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestALinkSignsInOnce(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{})
	code, _ := s.NewLink()
	cookie, err := s.SignInByLink(t.Context(), code, "Firefox")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.SignInByLink(t.Context(), code, "Firefox"); !errors.Is(err, access.ErrLink) {
		t.Errorf("a used link: got %v, want ErrLink", err)
	}
	id, _, ok := s.Session(t.Context(), cookie)
	if !ok || id.Scope != model.ScopeFull {
		t.Errorf("its session: got %+v %v, want full access", id, ok)
	}
	if _, _, ok := s.Session(t.Context(), cookie+"x"); ok {
		t.Error("another cookie is let in")
	}
}

func TestALinkIsOfNoUseAfterTenMinutes(t *testing.T) {
	t.Parallel()
	db := storetest.New(t)
	synctest.Test(t, func(t *testing.T) {
		s := service(t, access.Options{Store: unused{db}})
		code, expires := s.NewLink()
		if got := time.Until(expires); got != access.LinkLife {
			t.Errorf("life of a link: got %v, want %v", got, access.LinkLife)
		}
		time.Sleep(access.LinkLife)
		if _, err := s.SignInByLink(t.Context(), code, ""); !errors.Is(err, access.ErrLink) {
			t.Errorf("an old link: got %v, want ErrLink", err)
		}
	})
}

// unused is a store that a test in a bubble of its own time must not reach.
type unused struct{ access.Store }

func TestNoMoreThanSixteenLinksAreOut(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{})
	first, _ := s.NewLink()
	for range 16 {
		s.NewLink()
	}
	if _, err := s.SignInByLink(t.Context(), first, ""); !errors.Is(err, access.ErrLink) {
		t.Errorf("the seventeenth newest link: got %v, want ErrLink", err)
	}
}

func TestAnEndedSessionIsOutAtOnceAndItsConnectionsEnd(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{})
	code, _ := s.NewLink()
	cookie, err := s.SignInByLink(t.Context(), code, "")
	if err != nil {
		t.Fatal(err)
	}
	id, _, _ := s.Session(t.Context(), cookie)
	watched, release := s.Watch(t.Context(), id)
	defer release()
	if err := s.EndSession(t.Context(), id.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := s.Session(t.Context(), cookie); ok {
		t.Error("an ended session is let in")
	}
	<-watched.Done()
}

func TestAPasswordChangeSignsTheOtherBrowsersOut(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{})
	cookies := make([]string, 2)
	for i := range cookies {
		code, _ := s.NewLink()
		cookies[i], _ = s.SignInByLink(t.Context(), code, "")
	}
	mine, _, _ := s.Session(t.Context(), cookies[0])
	if err := s.ChangePassword(t.Context(), "client", "", "correct horse", mine.ID); err != nil {
		t.Fatal(err)
	}
	if _, _, ok := s.Session(t.Context(), cookies[0]); !ok {
		t.Error("the browser that changed it is signed out")
	}
	if _, _, ok := s.Session(t.Context(), cookies[1]); ok {
		t.Error("another browser is still signed in")
	}
	if err := s.ChangePassword(t.Context(), "client", "wrong horse", "another one", mine.ID); !errors.Is(err, access.ErrPassword) {
		t.Errorf("with a wrong current password: got %v, want ErrPassword", err)
	}
	if _, err := s.SignInByPassword(t.Context(), "client", "correct horse", ""); err != nil {
		t.Errorf("with the right password: %v", err)
	}
}

func TestPasswordsHaveALength(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{})
	for _, password := range []string{"seven77", strings.Repeat("x", 1025)} {
		if err := s.SetPassword(t.Context(), password, ""); model.CodeOf(err) != model.CodeInvalid {
			t.Errorf("%d characters: got %v, want invalid", len(password), err)
		}
	}
}

func TestThePasswordOfTheEnvironmentCounts(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{PasswordHash: access.HashPassword("from outside")})
	if _, err := s.SignInByPassword(t.Context(), "client", "from outside", ""); err != nil {
		t.Errorf("the right password: %v", err)
	}
	if err := s.SetPassword(t.Context(), "from inside", ""); model.CodeOf(err) != model.CodeConflict {
		t.Errorf("setting another: got %v, want a conflict", err)
	}
	if _, err := access.New(access.Options{PasswordHash: "$argon2id$v=19$m=0,t=0,p=0$c2FsdHNhbHQ$a2V5a2V5a2V5a2V5a2V5aw"}); err == nil {
		t.Error("a hash without cost is accepted")
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{APIToken: "from the environment"})
	value, kept, err := s.CreateToken(t.Context(), "editor", model.ScopeRead, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(value, "kt_") || !strings.HasPrefix(value, kept.Prefix) || strings.Contains(string(kept.Hash), value) {
		t.Errorf("token %q with prefix %q", value, kept.Prefix)
	}
	id, ok := s.Token(t.Context(), value)
	if !ok || id.Scope != model.ScopeRead || id.Label != "editor" {
		t.Errorf("got %+v %v, want editor's read scope", id, ok)
	}
	listed, err := s.Tokens(t.Context())
	if err != nil || len(listed) != 1 || listed[0].LastUsedAt.IsZero() {
		t.Errorf("listed: got %+v %v, want one that was used", listed, err)
	}
	if id, ok := s.Token(t.Context(), "from the environment"); !ok || id.Scope != model.ScopeFull {
		t.Errorf("the environment's token: got %+v %v", id, ok)
	}
	if err := s.RevokeToken(t.Context(), kept.ID); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Token(t.Context(), value); ok {
		t.Error("a revoked token is let in")
	}
	for _, wrong := range []string{"", "kt_", "from the environmen", strings.Repeat("x", 1<<20)} {
		if _, ok := s.Token(t.Context(), wrong); ok {
			t.Errorf("%.20q is let in", wrong)
		}
	}
}

func TestAnExpiredTokenIsOut(t *testing.T) {
	t.Parallel()
	s := service(t, access.Options{})
	value, _, err := s.CreateToken(t.Context(), "old", model.ScopeFull, time.Now().Add(-time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Token(t.Context(), value); ok {
		t.Error("an expired token is let in")
	}
}
