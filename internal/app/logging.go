package app

import (
	"fmt"
	"io"
	"log/slog"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/secret"
)

// newLog makes Kontor's own log. Every text in it passes the redactor.
func newLog(o Options, r *secret.Redactor) *slog.Logger {
	if o.LogTo == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(logHandler(o.LogTo, o.Config, r))
}

func logHandler(w io.Writer, c config.Config, r *secret.Redactor) slog.Handler {
	options := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		a.Value = a.Value.Resolve()
		switch a.Value.Kind() {
		case slog.KindString:
			a.Value = slog.StringValue(r.Redact(a.Value.String()))
		case slog.KindAny:
			if _, isLevel := a.Value.Any().(slog.Level); isLevel {
				return a
			}
			a.Value = slog.StringValue(r.Redact(fmt.Sprint(a.Value.Any())))
		}
		return a
	}}
	if c.LogFormat == config.FormatJSON {
		return slog.NewJSONHandler(w, options)
	}
	return slog.NewTextHandler(w, options)
}
