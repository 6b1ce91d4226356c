package web

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"strings"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

type settingsOutput struct{ Body wire.Settings }

type settingsInput struct{ Body wire.PatchSettings }

type aboutOutput struct{ Body wire.About }

// The keys that settings are kept under.
const (
	keyTheme     = "theme"
	keyBaseURL   = "base_url"
	keySetupDone = "setup_done"
)

func (s *Server) getSettings(context.Context, *struct{}) (*settingsOutput, error) {
	return &settingsOutput{*s.settings.Load()}, nil
}

func (s *Server) changeSettings(ctx context.Context, in *settingsInput) (*settingsOutput, error) {
	if theme := in.Body.Theme; theme != nil {
		if err := s.setSetting(ctx, keyTheme, *theme); err != nil {
			return nil, err
		}
	}
	if base := in.Body.BaseURL; base != nil {
		if err := s.setBaseURL(ctx, *base); err != nil {
			return nil, err
		}
	}
	s.o.Bus.Publish(model.SettingsChanged{})
	return &settingsOutput{*s.settings.Load()}, nil
}

func (s *Server) about(context.Context, *struct{}) (*aboutOutput, error) {
	about := s.o.About
	about.Demo = wire.DemoOf(s.o.Demo)
	return &aboutOutput{about}, nil
}

func (s *Server) setBaseURL(ctx context.Context, base string) error {
	if s.o.BaseURL != "" {
		return model.Errorf(model.CodeConflict, "base_url is fixed by --base-url or KONTOR_BASE_URL")
	}
	if err := validBaseURL(base); err != nil {
		return err
	}
	return s.setSetting(ctx, keyBaseURL, strings.TrimSuffix(base, "/"))
}

// validBaseURL says in words why an address can't be that of browsers, or nil.
// Empty means the address listened on.
func validBaseURL(base string) error {
	if base == "" {
		return nil
	}
	u, err := url.Parse(base)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil ||
		(u.Path != "" && u.Path != "/") || u.RawQuery != "" || u.Fragment != "" {
		return model.Errorf(model.CodeInvalid, "base_url must look like https://kontor.example.org, without a path")
	}
	return nil
}

// BaseURL is the address that browsers use.
func (s *Server) BaseURL() string {
	if s.o.BaseURL != "" {
		return s.o.BaseURL
	}
	if base := s.settings.Load().BaseURL; base != "" {
		return base
	}
	return localAddress(s.o.ListenAddr)
}

// localAddress is how a browser on this machine reaches an address listened on.
func localAddress(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return "http://" + listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

func (s *Server) setSetting(ctx context.Context, key string, value any) error {
	raw, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("setting %s: %w", key, err)
	}
	if err := s.o.Settings.SetSetting(ctx, key, raw); err != nil {
		return err
	}
	return s.loadSettings(ctx)
}

// loadSettings reads what is kept; what was never set has its default.
func (s *Server) loadSettings(ctx context.Context) error {
	loaded := wire.Settings{Theme: "system"}
	for key, into := range map[string]*string{keyTheme: &loaded.Theme, keyBaseURL: &loaded.BaseURL} {
		raw, err := s.o.Settings.Setting(ctx, key)
		if model.CodeOf(err) == model.CodeNotFound {
			continue
		}
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return fmt.Errorf("setting %s: %w", key, err)
		}
	}
	if s.o.BaseURL != "" {
		loaded.BaseURL = s.o.BaseURL
	}
	s.settings.Store(&loaded)
	ours, err := originOf(s.BaseURL(), s.o.AllowedHosts)
	if err != nil {
		return fmt.Errorf("base URL: %w", err)
	}
	s.origin.Store(ours)
	return nil
}
