package servers

import "testing"

func TestClip(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":       "",
		"abcd":   "abcd",
		"abcde":  "abcd… (1 more bytes)",
		"abcüde": "abc… (4 more bytes)",
	} {
		if got := clip(text, 4); got != want {
			t.Errorf("clip(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := oneLine("a\r\nb\nc\r\n"), "a ⏎ b ⏎ c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
