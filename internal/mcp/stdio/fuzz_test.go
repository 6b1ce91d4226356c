package stdio

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"kontor.dev/kontor/internal/mcp/wire"
)

// However a stream is cut into reads, its lines are the same, and all of them
// together are the stream.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"", "\n", "a", "{}\r\n\r\n{}", "debug: called\n{\"jsonrpc\":\"2.0\"}\n", "\ufeff{}\n", "a\rb\n",
		strings.Repeat("x", 70) + "\n" + strings.Repeat("y", 64) + "\r\n", strings.Repeat("z", 65) + "\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 4<<10 {
			return // what is longer shows nothing new, and takes long byte by byte
		}
		const limit = 64
		want := describeLines(bytes.NewReader(in), limit)
		for name, r := range map[string]io.Reader{
			"byte by byte": iotest.OneByteReader(bytes.NewReader(in)),
			"halves":       iotest.HalfReader(bytes.NewReader(in)),
			"data and EOF": iotest.DataErrReader(bytes.NewReader(in)),
		} {
			if got := describeLines(r, limit); got != want {
				t.Errorf("%s: %q; whole: %q", name, got, want)
			}
		}
		if n := strings.Count(want, "\n"); n != len(bytes.SplitAfter(in, []byte("\n")))-1+unended(in) {
			t.Errorf("%d lines of %q", n, in)
		}
	})
}

// unended is 1 when something stands behind the last newline.
func unended(in []byte) int {
	if len(in) > 0 && in[len(in)-1] != '\n' {
		return 1
	}
	return 0
}

func describeLines(r io.Reader, limit int) string {
	lines := lineReader{source: r, limit: limit, keep: 16}
	var b strings.Builder
	for {
		l, err := lines.next()
		if err != nil {
			return b.String()
		}
		text, _ := json.Marshal([]any{l.data, l.tail, l.size, l.ended})
		b.Write(append(text, '\n'))
	}
}

// An id that is told from the two ends of a message is the message's own.
func FuzzAnsweredID(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"a":"b"}}`, `{"result":{},"jsonrpc":"2.0","id":12}`, `{"result":"x\",\"id\":3}","id":4 }`,
		`{"id":1,"method":"x"}`, `{"error":{},"id":5,"jsonrpc":"2.0"}`, `[{"id":1,"result":{}}]`, `{"result":[{"id":7}]}`, `{"id":"a","result":{}}`,
	} {
		f.Add([]byte(seed), uint8(12), uint8(20))
	}
	f.Fuzz(func(t *testing.T, in []byte, head, tail uint8) {
		id := answeredID(in[:min(int(head), len(in))], in[max(0, len(in)-int(tail)):])
		m, err := wire.Parse(in)
		if id == nil || err != nil || m.Kind() == wire.Invalid {
			return // not told, or told of what is no message
		}
		if again := bytes.Count(in, []byte("id")) + bytes.Count(in, []byte("\\u")); again > 1 {
			return // of several members with one name any may be meant
		}
		if !wire.SameID(id, m.ID) {
			t.Errorf("%s was told from %s", id, in)
		}
	})
}
