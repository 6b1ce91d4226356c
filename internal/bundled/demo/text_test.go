package demo

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEchoKeepsAnyText(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		want := "Messgerät 漢字 🔑 <b>\u2028\x00\n end"
		if got := text(t, p.call(t, "echo", map[string]any{"text": want})); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func TestNothingIsAnEmptyList(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		if result := p.call(t, "nothing", nil); len(result.Content) != 0 || result.IsError {
			t.Errorf("got %+v, want an empty success", result)
		}
		p.heard.await(t, `"content":[]`, 1)
	})
}

func TestBigHasTheSizeAskedFor(t *testing.T) {
	t.Parallel()
	for _, kilobytes := range []int{1, 3, 64, 1024} {
		if got, want := len(filler(kilobytes<<10)), kilobytes<<10; got != want {
			t.Errorf("text of %d KB has %d bytes, want %d", kilobytes, got, want)
		}
		data := fillerJSON(kilobytes << 10)
		if got, want := len(data), kilobytes<<10; got != want {
			t.Errorf("JSON of %d KB has %d bytes, want %d", kilobytes, got, want)
		}
		if !json.Valid([]byte(data)) {
			t.Errorf("JSON of %d KB is not valid", kilobytes)
		}
	}
}

func TestBigGoesThrough(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		if got, want := len(text(t, p.call(t, "big", map[string]any{"kilobytes": 200}))), 200<<10; got != want {
			t.Errorf("got %d bytes, want %d", got, want)
		}
		result := p.call(t, "big", map[string]any{"kilobytes": 200, "shape": "json"})
		lines, _ := result.StructuredContent.(map[string]any)["lines"].([]any)
		if len(lines) < 200<<10/80 {
			t.Errorf("got %d lines", len(lines))
		}
	})
}

func TestMarkupOfEachKindIsHostile(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{"html": "<script>", "markdown": "javascript:", "ansi": "\x1b["} {
		if got := markup(kind); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want it to hold %q", kind, got, want)
		}
	}
}
