package app

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/secret"
)

func TestOwnLogMasksSecrets(t *testing.T) {
	t.Parallel()
	redactor := &secret.Redactor{}
	redactor.Set("test", []string{"hidden-value"})
	for _, format := range []string{config.FormatText, config.FormatJSON} {
		var out bytes.Buffer
		log := slog.New(logHandler(&out, config.Config{LogFormat: format}, redactor))
		log.With("with", "hidden-value").Error("says hidden-value", "text", "a hidden-value b",
			"err", fmt.Errorf("wrapped: %w", errors.New("hidden-value")), "any", struct{ V string }{"hidden-value"},
			slog.Group("g", "in", "hidden-value"))
		if strings.Contains(out.String(), "hidden-value") || !strings.Contains(out.String(), "ERROR") {
			t.Errorf("%s: got %s", format, out.String())
		}
	}
}
