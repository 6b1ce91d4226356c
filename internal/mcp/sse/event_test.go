package sse

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

// readAll reads a stream to its end and says, per event, what is known after it.
func readAll(r io.Reader, buffer, max int) (seen []string, last error) {
	d := NewReader(bufio.NewReaderSize(r, buffer), max)
	for {
		e, err := d.Next()
		if err != nil {
			return append(seen, fmt.Sprintf("end id=%q retry=%v", d.LastID, d.Retry)), err
		}
		seen = append(seen, fmt.Sprintf("%s|%s|%s", e.Name, e.Data, d.LastID))
	}
}

func TestReaderReadsWhatTheStandardSays(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("x", 60<<10)
	for name, c := range map[string]struct {
		in   string
		want []string
	}{
		"LF":                          {"data: {}\n\n", []string{"|{}|"}},
		"CRLF":                        {"event: message\r\ndata: {}\r\n\r\n", []string{"message|{}|"}},
		"CR":                          {"data: a\r\rdata: b\r\r", []string{"|a|", "|b|"}},
		"mixed ends":                  {"data: a\r\n\ndata: b\n\r\n", []string{"|a|", "|b|"}},
		"no blank after the colon":    {"data:{}\n\n", []string{"|{}|"}},
		"only one blank is taken":     {"data:  x\n\n", []string{"| x|"}},
		"several data lines":          {"data: {\ndata: }\n\n", []string{"|{\n}|"}},
		"empty data lines":            {"data\ndata\n\n", []string{"|\n|"}},
		"comments are no events":      {": ping\n\n:\n\ndata: 1\n\n", []string{"|1|"}},
		"comment inside an event":     {"data: 1\n: x\ndata: 2\n\n", []string{"|1\n2|"}},
		"unknown fields":              {"foo: bar\ndata: 1\n\n", []string{"|1|"}},
		"byte order mark":             {"\uFEFFdata: 1\n\n", []string{"|1|"}},
		"mark only at the start":      {"data: 1\n\n\uFEFFdata: 2\n\n", []string{"|1|", "||"}},
		"id without data":             {"id: 7\ndata:\n\n", []string{"||7"}},
		"id stays":                    {"id: 7\ndata: a\n\ndata: b\n\n", []string{"|a|7", "|b|7"}},
		"id can be taken back":        {"id: 7\ndata: a\n\nid\ndata: b\n\n", []string{"|a|7", "|b|"}},
		"id that no header may carry": {"id: a\x00b\ndata: a\n\n", []string{"|a|"}},
		"an unfinished event":         {"data: a\n\nid: 9\ndata: b\n", []string{"|a|"}},
		"an unfinished line":          {"data: a\n\ndata: b", []string{"|a|"}},
		"over many reads":             {"data: " + big + "\n\n", []string{"|" + big + "|"}},
		"big on the second line":      {"data: 1\ndata: " + big + "\n\n", []string{"|1\n" + big + "|"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := readAll(strings.NewReader(c.in), 64, 1<<20)
			if err != io.EOF {
				t.Errorf("error = %v, want EOF", err)
			}
			if got = got[:len(got)-1]; !reflect.DeepEqual(got, c.want) {
				t.Errorf("events = %.200q, want %.200q", got, c.want)
			}
		})
	}
}

func TestRetryTakesDigitsOnly(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]time.Duration{
		"retry: 500":                   500 * time.Millisecond,
		"retry: 0":                     0,
		"retry: 5s":                    -1,
		"retry: -5":                    -1,
		"retry":                        -1,
		"retry: 99999999999999999999":  -1,
		"retry: 999999999999999999":    -1,
		"retry: 20\nretry: x":          20 * time.Millisecond,
		"retry: 20\nretry: 30":         30 * time.Millisecond,
		"data: no blank line\nretry:5": 5 * time.Millisecond,
	} {
		d := NewReader(bufio.NewReader(strings.NewReader(in+"\n")), 100)
		if _, err := d.Next(); err != io.EOF {
			t.Fatalf("%q: error = %v", in, err)
		}
		if d.Retry != want {
			t.Errorf("%q: retry = %v, want %v", in, d.Retry, want)
		}
	}
}

func TestEventOverTheLimit(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]string{
		"one line":      "id: 3\ndata: " + strings.Repeat("x", 101) + "\n\n",
		"many lines":    "id: 3\n" + strings.Repeat("data: xxxxxxxxx\n", 12) + "\n",
		"an endless id": "id: 3\nid: " + strings.Repeat("x", 1000),
	} {
		got, err := readAll(strings.NewReader("id: 2\ndata: ok\n\n"+in), 16, 100)
		if !errors.Is(err, wire.ErrTooLarge) {
			t.Errorf("%s: error = %v, want ErrTooLarge", name, err)
		}
		if want := []string{"|ok|2", `end id="3" retry=-1ns`}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: events = %q, want %q: resuming must go past the large one", name, got, want)
		}
	}
	exact := strings.Repeat("x", 100)
	if got, err := readAll(strings.NewReader("data: "+exact+"\n\n"), 16, 100); err != io.EOF || got[0] != "|"+exact+"|" {
		t.Errorf("an event of exactly the limit: %q, %v", got, err)
	}
}

// An event ended by CR must not wait for the byte after it.
func TestEventEndsWithoutTheNextByte(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	go func() { _, _ = w.Write([]byte("data: 1\r\r")) }()
	d := NewReader(bufio.NewReader(r), 100)
	e, err := d.Next()
	if err != nil || string(e.Data) != "1" {
		t.Fatalf("next = %q, %v", e.Data, err)
	}
	_ = w.Close()
}

// However a stream is cut into reads, its events are the same, and the data of
// an event stays as it was while later ones are read.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"data: {}\n\n", "\uFEFFid: 1\r\ndata: a\r\n\r\n", "data: a\r\rdata: b\r\r", ": x\n\nretry: 5\nevent: ping\ndata\n\n",
		"data: " + strings.Repeat("y", 90) + "\ndata:z\n\nid:\n\n", "\xef\xbb", "data: a\n\r\n\r",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		const limit = 64
		want, wantErr := readAll(strings.NewReader(string(in)), 1<<16, limit)
		for name, r := range map[string]io.Reader{
			"byte by byte": iotest.OneByteReader(strings.NewReader(string(in))),
			"halves":       iotest.HalfReader(strings.NewReader(string(in))),
			"data and EOF": iotest.DataErrReader(strings.NewReader(string(in))),
		} {
			got, err := readAll(r, 16, limit)
			if err != wantErr || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %q, %v; whole: %q, %v", name, got, err, want, wantErr)
			}
		}
	})
}
