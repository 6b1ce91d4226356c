package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextDecodesAsEncodingJSONDoes(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{
		`""`, `"plain"`, `"ü🔑"`, `"a\"b\\c\/d\be\ff\ng\rh\ti"`, `"\u00fc\u20AC"`, `"\ud83d\udd11"`,
		`"\ud83d"`, `"\ud83dx"`, `"\ud83d\n"`, `"\ud83d\u0041"`, `"\udd11\ud83d"`, `"\ud83d\ud83d\udd11"`, `"\u0000"`,
		`"` + strings.Repeat(`line of text\n`, 100) + `"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(raw), &want); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		if got, ok := Text(json.RawMessage(raw)); !ok || got != want {
			t.Errorf("%s: got %q, %v, want %q", raw, got, ok, want)
		}
	}
}

func TestTextRefusesOtherValues(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", `"`, "null", "1", "{}", `["a"]`, `"\x"`, `"\u12"`, `"\u12zz"`} {
		if got, ok := Text(json.RawMessage(raw)); ok {
			t.Errorf("%s: got %q", raw, got)
		}
	}
}

func TestAStringIsWrittenSoThatItComesBack(t *testing.T) {
	t.Parallel()
	controls := make([]byte, 0x21)
	for i := range controls {
		controls[i] = byte(i)
	}
	for _, s := range []string{
		"", "plain", `"quoted" \ back`, string(controls), "ü🔑<b>&\u2028\x7f",
		strings.Repeat("x", 255) + "\n", strings.Repeat("x", 256) + `"`, strings.Repeat("x", 257) + `\`,
		strings.Repeat("ü", 1000), strings.Repeat("\n", 1000),
	} {
		written := AppendString([]byte("before"), s)
		var got string
		if err := json.Unmarshal(written[len("before"):], &got); err != nil || got != s {
			t.Errorf("%q: got %q, %v, from %s", s, got, err, written)
		}
	}
}

func TestBytesThatAreNoTextAreReplaced(t *testing.T) {
	t.Parallel()
	written := AppendString(nil, "a\xff\xc3b")
	if !json.Valid(written) || !utf8.Valid(written) || !strings.ContainsRune(string(written), utf8.RuneError) {
		t.Errorf("got %q", written)
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a\nb", `\u00fc`, "\xff", "🔑\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want := strings.ToValidUTF8(s, "\uFFFD")
		if got, ok := Text(AppendString(nil, s)); !ok || got != want {
			t.Errorf("%q: got %q, %v", s, got, ok)
		}
	})
}

func BenchmarkText(b *testing.B) {
	raw := AppendString(nil, strings.Repeat(strings.Repeat("x", 70)+"\n", 1<<20/71))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, ok := Text(raw); !ok {
			b.Fatal("not decoded")
		}
	}
}

func BenchmarkAppendString(b *testing.B) {
	s := strings.Repeat(strings.Repeat("x", 70)+"\n", 1<<20/71)
	b.SetBytes(int64(len(s)))
	var out []byte
	for b.Loop() {
		out = AppendString(out[:0], s)
	}
}
