package stdio

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLinesAreCutTheSameHoweverTheyArrive(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("0123456789", 20_000)
	streams := []string{
		"", "\n", "a", "a\n", "a\r\nb\r\n\r\nc", "\n\n\n", "a\rb\n",
		long + "\n" + "x\n" + long + "\r\n\nend\n",
		strings.Repeat("short\n", 30_000) + long,
		strings.Repeat("y", 200_000) + "\n" + strings.Repeat("z", 200_001) + "\n" + strings.Repeat("w", 200_000) + "\r\n",
		strings.Repeat("u", 1_000_000),
	}
	for i, stream := range streams {
		for label, wrap := range map[string]func(io.Reader) io.Reader{
			"at once": func(r io.Reader) io.Reader { return r },
			"halves":  iotest.HalfReader, "with the error": iotest.DataErrReader, "byte by byte": iotest.OneByteReader,
		} {
			got := readLines(t, wrap(strings.NewReader(stream)), 200_000)
			want := strings.SplitAfter(stream, "\n")
			if want[len(want)-1] == "" {
				want = want[:len(want)-1]
			}
			if len(got) != len(want) {
				t.Errorf("stream %d, %s: want %d lines, got %d", i, label, len(want), len(got))
				continue
			}
			for n, l := range got {
				whole := strings.TrimSuffix(strings.TrimSuffix(want[n], "\n"), "\r")
				if !strings.HasSuffix(want[n], "\n") {
					whole = want[n]
				}
				wantData, wantTail := whole, ""
				if len(whole) > 200_000 {
					wantData, wantTail = whole[:1000], whole[len(whole)-tailLength:]
				}
				if l.size != len(whole) || string(l.data) != wantData || string(l.tail) != wantTail || l.ended != strings.HasSuffix(want[n], "\n") {
					t.Errorf("stream %d, %s, line %d: want %d bytes, got %d (%d, %d), ended %t", i, label, n, len(whole), l.size, len(l.data), len(l.tail), l.ended)
				}
			}
		}
	}
}

func TestLinesBelongToTheTaker(t *testing.T) {
	t.Parallel()
	lines := []string{strings.Repeat("a", 100), strings.Repeat("b", 100_000), strings.Repeat("c", 40_000), "d", strings.Repeat("e", 300_000), "f"}
	var got [][]byte
	for _, l := range readLines(t, strings.NewReader(strings.Join(lines, "\n")+"\n"), 1<<20) {
		got = append(got, l.data)
		_ = append(l.data, "overwritten by whoever appends"...)
	}
	for i, want := range lines {
		if string(got[i]) != want {
			t.Errorf("line %d has changed", i)
		}
	}
}

func TestAQuietStreamHoldsLittleAfterALongLine(t *testing.T) {
	t.Parallel()
	l := lineReader{source: strings.NewReader(strings.Repeat("a", 3<<20) + "\nb\n"), limit: 16 << 20, keep: 10}
	for range 2 {
		if _, err := l.next(); err != nil {
			t.Fatal(err)
		}
	}
	if cap(l.buf) > smallBuffer {
		t.Errorf("holds %d bytes", cap(l.buf))
	}
}

func TestALargeLineIsMetWithRoomForAnother(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("a", 3<<20) + "\n"
	l := lineReader{source: strings.NewReader(large + large + large), limit: 16 << 20, keep: 10}
	for range 3 {
		got, err := l.next()
		if err != nil || len(got.data) != 3<<20 {
			t.Fatalf("%d bytes, %v", len(got.data), err)
		}
	}
	if l.expect != 3<<20 {
		t.Errorf("expects %d", l.expect)
	}
}

func TestAMessageBecomesOneLine(t *testing.T) {
	t.Parallel()
	raw := []byte("{\r\n\"a\":\n\n[1,\r2]}\n")
	if got, want := string(oneLine(raw)), "{  \"a\":  [1, 2]} "; got != want {
		t.Errorf("want %q, got %q", want, got)
	}
	if !bytes.HasPrefix(raw, []byte("{\r\n")) {
		t.Error("the message itself was changed")
	}
}

func readLines(t *testing.T, r io.Reader, limit int) []line {
	t.Helper()
	reader := lineReader{source: r, limit: limit, keep: 1000}
	var all []line
	for {
		l, err := reader.next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
}
