package web

import "testing"

func TestATitleAsTheNameOfAFile(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		" Sheep ":            "Sheep",
		"":                   "chat",
		`a/b\c:d*e?f"g<h>|i`: "a-b-c-d-e-f-g-h--i",
		"two\nlines\x00":     "two-lines-",
		"gpj.\u202eexe":      "gpj.-exe",
		"Schafe zählen 🐑":    "Schafe zählen 🐑",
	} {
		if got := fileName(title); got != want {
			t.Errorf("%q: got %q, want %q", title, got, want)
		}
	}
}
