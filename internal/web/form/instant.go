package form

import (
	"strings"
	"time"
)

// A datetime-local control knows no zone, and without script the page doesn't know
// the person's: times are shown and typed in UTC, and the page says so.

// toControl is an instant (RFC 3339) as the value of the control; empty when it is
// none.
func toControl(instant string) string {
	at, err := time.Parse(time.RFC3339, instant)
	if err != nil {
		return ""
	}
	layout := "2006-01-02T15:04"
	if at.Second() != 0 || at.Nanosecond() != 0 {
		layout = "2006-01-02T15:04:05.999"
	}
	return at.UTC().Format(layout)
}

// fromControl is the value of the control (HTML, local date and time) as RFC 3339.
// Browsers without the control send what was typed: an instant stays as it is.
func fromControl(value string) (instant string, ok bool) {
	value = strings.TrimSpace(value)
	if _, err := time.Parse(time.RFC3339, value); err == nil {
		return value, true
	}
	value = strings.Replace(value, " ", "T", 1)
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05"} {
		if at, err := time.Parse(layout, value); err == nil {
			return at.Format(time.RFC3339Nano), true
		}
	}
	return "", false
}
