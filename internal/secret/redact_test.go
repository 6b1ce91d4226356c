package secret_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"

	"kontor.dev/kontor/internal/secret"
)

const tricky = `p"ss/w<o>rd+ü🔑&\x=1 y`

func TestRedactMasksEveryForm(t *testing.T) {
	t.Parallel()
	plainJSON := func(s string) string {
		var out strings.Builder
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out.String())
	}
	htmlJSON, err := json.Marshal(tricky)
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"itself":           tricky,
		"JSON":             plainJSON(tricky),
		"HTML-safe JSON":   string(htmlJSON),
		"slashes escaped":  strings.ReplaceAll(plainJSON(tricky), "/", `\/`),
		"ASCII JSON":       `"p\"ss/w<o>rd+\u00fc\ud83d\udd11&\\x=1 y"`,
		"Go":               fmt.Sprintf("%q", tricky),
		"Go in ASCII":      fmt.Sprintf("%+q", tricky),
		"query":            "?k=" + url.QueryEscape(tricky),
		"path":             "/" + url.PathEscape(tricky),
		"browser":          "p%22ss%2Fw%3Co%3Erd%2B%C3%BC%F0%9F%94%91%26%5Cx%3D1%20y",
		"lower case":       "k=" + strings.ToLower(url.QueryEscape(tricky)),
		"base64":           base64.StdEncoding.EncodeToString([]byte(tricky)),
		"base64 for URLs":  base64.RawURLEncoding.EncodeToString([]byte(tricky)),
		"in Basic, by 1":   "Basic " + base64.StdEncoding.EncodeToString([]byte("a"+tricky+"z")),
		"in Basic, by 2":   "Basic " + base64.StdEncoding.EncodeToString([]byte("me"+tricky)),
		"in Basic, by 3":   "Basic " + base64.StdEncoding.EncodeToString([]byte("me:"+tricky+":more")),
		"several, in text": "a " + tricky + " b " + tricky + " c",
	}
	for name, text := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r secret.Redactor
			r.Set("server", []string{tricky})
			got := r.Redact(text)
			if !strings.Contains(got, secret.Mark) {
				t.Errorf("nothing was masked in %q", got)
			}
			// What may stay are the characters that base64 shares with the neighbours.
			if rest := strings.ReplaceAll(got, secret.Mark, ""); len(rest) > len(text)-len(tricky)+4 {
				t.Errorf("%q became %q", text, got)
			}
			if bytes := r.RedactBytes([]byte(text)); string(bytes) != got {
				t.Errorf("RedactBytes gave %q, Redact %q", bytes, got)
			}
		})
	}
}

func TestRedactKnowsWhatAValueHolds(t *testing.T) {
	t.Parallel()
	pem := "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqh\r\nkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n"
	tests := []struct{ name, value, text, want string }{
		{"7 characters stay", "1234567", "a 1234567 b", "a 1234567 b"},
		{"8 characters go", "12345678", "a 12345678 b", "a [redacted] b"},
		{"characters, not bytes", "üüüüüüü", "üüüüüüü", "üüüüüüü"},
		{"a scheme's credential", "Bearer abcdefgh", "token abcdefgh", "token [redacted]"},
		{"a scheme with its credential", "Bearer abcdefgh", "Bearer abcdefgh!", "[redacted]!"},
		{"a short credential", "Bearer abc", "abc", "abc"},
		{"a line of a key", pem, "read MIIEvQIBADANBgkqh ok", "read [redacted] ok"},
		{"the frame of a key", pem, "-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----"},
		{"a whole key", pem, "[" + pem + "]", "[[redacted]]"},
		{"empty", "", "anything", "anything"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var r secret.Redactor
			r.Set("s", []string{test.value})
			if got := r.Redact(test.text); got != test.want {
				t.Errorf("Redact(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestTheLongerSecretIsMaskedFirst(t *testing.T) {
	t.Parallel()
	var r secret.Redactor
	r.Set("a", []string{"12345678"})
	r.Set("b", []string{"12345678-and-more"})
	if got, want := r.Redact("x12345678-and-more"), "x[redacted]"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestASharedSecretIsMaskedUntilItsLastOwnerLetsGo(t *testing.T) {
	t.Parallel()
	var r secret.Redactor
	const text, masked = "the-secret", "[redacted]"
	for i, step := range []struct {
		owner  string
		values []string
		want   string
	}{
		{"a", []string{text}, masked},
		{"b", []string{text}, masked},
		{"a", nil, masked},
		{"b", []string{"another-one"}, text},
		{"b", nil, text},
	} {
		r.Set(step.owner, step.values)
		if got := r.Redact(text); got != step.want {
			t.Errorf("step %d: %q, want %q", i, got, step.want)
		}
	}
}

func TestRedactWhileSecretsChange(t *testing.T) {
	t.Parallel()
	var r secret.Redactor
	r.Set("always", []string{"always-there"})
	var group sync.WaitGroup
	for i := range 4 {
		group.Go(func() {
			for n := range 50 {
				r.Set(fmt.Sprint(i), []string{fmt.Sprintf("changing-%d-%d", i, n)})
				if got := r.Redact("x always-there"); got != "x [redacted]" {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	group.Wait()
}

func TestASecretIsFoundWhereverItBegins(t *testing.T) {
	t.Parallel()
	var r secret.Redactor
	r.Set("s", []string{"abcdefgh"})
	for before := range 20 {
		for after := range 8 {
			text := strings.Repeat("-", before) + "abcdefgh" + strings.Repeat("-", after)
			want := strings.Repeat("-", before) + secret.Mark + strings.Repeat("-", after)
			if got := r.Redact(text); got != want {
				t.Errorf("Redact(%q) = %q, want %q", text, got, want)
			}
		}
	}
}

func TestBytesWithoutASecretComeBackAsTheyAre(t *testing.T) {
	t.Parallel()
	var r secret.Redactor
	text := []byte("nothing here")
	for _, values := range [][]string{nil, {"12345678"}} {
		r.Set("s", values)
		if got := r.RedactBytes(text); &got[0] != &text[0] {
			t.Errorf("with %d secrets the bytes were copied", len(values))
		}
	}
}

func BenchmarkRedactNothing(b *testing.B) {
	var r secret.Redactor
	for i := range 50 {
		r.Set(fmt.Sprint(i), []string{fmt.Sprintf("sk-%032d", i), fmt.Sprintf("ghp_%036x", i*7919)})
	}
	line := strings.Repeat(`{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"hello"}]}}`, 15)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		r.Redact(line)
	}
}
