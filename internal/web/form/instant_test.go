package form_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"kontor.dev/kontor/internal/web/form"
)

const meeting = `{"type":"object","properties":{"start":{"type":"string","format":"date-time","default":"2026-11-30T14:05:00+02:00"}}}`

func TestATimeIsShownInUTC(t *testing.T) {
	t.Parallel()
	f := form.Parse(json.RawMessage(meeting)).Fields()[0]
	if f.InputType != "datetime-local" || f.Zone != "UTC" || f.Value != "2026-11-30T12:05" {
		t.Errorf("got %s in %q with %q, want datetime-local in UTC with 2026-11-30T12:05", f.InputType, f.Zone, f.Value)
	}
}

func TestATimeIsSentWithItsZone(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"2026-11-30T14:05":          `{"start":"2026-11-30T14:05:00Z"}`,
		"2026-11-30T14:05:07.25":    `{"start":"2026-11-30T14:05:07.25Z"}`,
		"2026-11-30 14:05":          `{"start":"2026-11-30T14:05:00Z"}`,
		"2026-11-30T14:05:00+02:00": `{"start":"2026-11-30T14:05:00+02:00"}`,
		"":                          `{}`,
		"next Monday":               "",
		"2026-02-30T14:05":          "",
	} {
		f := form.Parse(json.RawMessage(meeting))
		got, ok := f.Read(url.Values{"f0": {typed}})
		if ok != (want != "") || ok && string(got) != want {
			t.Errorf("%q: got %s, %v; want %s", typed, got, ok, want)
		}
		if field := f.Fields()[0]; !ok && (field.Error == "" || field.Value != typed) {
			t.Errorf("%q: got error %q beside %q", typed, field.Error, field.Value)
		}
	}
}
