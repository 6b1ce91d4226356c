package wire

import (
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Time is an instant on the wire: RFC 3339, UTC, milliseconds.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z"

// At makes a Time; the zero instant stays zero.
func At(t time.Time) Time { return Time{t} }

// When makes an optional Time: nil for the zero instant.
func When(t time.Time) *Time {
	if t.IsZero() {
		return nil
	}
	return &Time{t}
}

// MarshalJSON writes the instant with exactly three decimals.
func (t Time) MarshalJSON() ([]byte, error) { return appendTime(nil, t.Time), nil }

func appendTime(b []byte, t time.Time) []byte { return t.UTC().AppendFormat(b, `"`+timeLayout+`"`) }

// Schema is the shape in the OpenAPI document.
func (Time) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
}
