//go:build unix

package stdio_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
)

// What servers print, and what has to arrive.
func TestWhatServersPrint(t *testing.T) {
	t.Parallel()
	const answer = `{"jsonrpc":"2.0","id":1,"result":{"s":"Messgerät 漢字 🔑"}}`
	byteByByte := strings.Split(answer[27:], "")
	bytesOf := make([]string, 0, len(answer))
	for i := 27; i < len(answer); i++ {
		bytesOf = append(bytesOf, answer[i:i+1])
	}
	tests := map[string]struct {
		parts    []string
		messages []string
		skipped  []string
	}{
		"log lines between messages": {
			[]string{"Server 1.2 starting…\n" + answer + "\ndebug: called\n" + answer + "\n"},
			[]string{answer, answer},
			[]string{"Server 1.2 starting…", "debug: called"},
		},
		"CR LF and blank lines":      {[]string{answer + "\r\n\r\n \n\n" + answer + "\r\n"}, []string{answer, answer}, nil},
		"small writes":               {append(append([]string{answer[:27]}, byteByByte...), "\n"), []string{answer}, nil},
		"writes inside characters":   {append(append([]string{answer[:27]}, bytesOf...), "\n"), []string{answer}, nil},
		"escapes stay escapes":       {[]string{`{"id":1,"result":"\u6f22\ud83d\udd11"}` + "\n"}, []string{`{"id":1,"result":"\u6f22\ud83d\udd11"}`}, nil},
		"byte order mark":            {[]string{"\ufeff" + answer + "\n"}, []string{answer}, nil},
		"batch":                      {[]string{"[" + answer + `, {"method":"a"} ]` + "\n"}, []string{answer, `{"method":"a"}`}, nil},
		"JSON that is no message":    {[]string{`{"level":"info"}` + "\n7\n"}, []string{`{"level":"info"}`, `7`}, nil},
		"broken characters in a log": {[]string{"caf\xe9\n"}, nil, []string{"caf\ufffd"}},
		"two messages in a line":     {[]string{answer + answer + "\n"}, nil, []string{answer + answer}},
		"an endless log line":        {[]string{strings.Repeat("z", 100_000) + "\n" + answer + "\n"}, []string{answer}, []string{strings.Repeat("z", 4096) + "… (cut: 100000 bytes in all)"}},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := fake(t, "script", nil, append(test.parts, "\n"+`{"method":"end"}`+"\n")...)
			if last := p.message(len(test.messages)).Message; last.Method != "end" {
				t.Errorf("want the end, got %s", last.Raw)
			}
			for i, want := range test.messages {
				if got := p.message(i).Message.Raw; string(got) != want {
					t.Errorf("message %d: want %s, got %s", i, want, got)
				}
			}
			for _, want := range test.skipped {
				if got := p.noted(wire.NoteNotProtocol, want[:3]); got != want {
					t.Errorf("note: want %q, got %q", want, got)
				}
			}
		})
	}
}

func TestOutputThatEndsInTheMiddleOfAMessageIsReported(t *testing.T) {
	t.Parallel()
	p := fake(t, "cut", nil, `{"jsonrpc":"2.0","id":1,"resu`)
	want := `the output ended in the middle of a message, after 29 bytes: {"jsonrpc":"2.0","id":1,"resu`
	if got := p.noted(wire.NoteNotProtocol, "ended"); got != want {
		t.Errorf("want %q, got %q", want, got)
	}
}

func TestAWholeMessageWithoutItsNewlineArrives(t *testing.T) {
	t.Parallel()
	p := fake(t, "cut", nil, `{"id":1,"result":{}}`)
	if got := p.message(0).Message.Raw; string(got) != `{"id":1,"result":{}}` {
		t.Errorf("got %s", got)
	}
}

func TestLongLinesArriveWhole(t *testing.T) {
	t.Parallel()
	p := fake(t, "big", nil)
	for i, size := range []int{10, 250_000, 20, 2 << 20, 30, 16<<20 - 100} {
		p.request(int64(i), bigParams(size, `{"jsonrpc":"2.0","id":1,"result":%s}`))
		if got := len(p.message(i).Message.Result); got != size+2 {
			t.Errorf("%d: want %d bytes, got %d", i, size+2, got)
		}
	}
}

func TestAMessageOverTheLimitFailsItsRequestAndNothingElse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ form, id string }{
		"id first":       {`{"jsonrpc":"2.0","id":1,"result":%s}`, `1`},
		"id last":        {`{"result":{"id":7,"text":%s},"jsonrpc":"2.0","id":1}`, `1`},
		"id before end":  {`{"result":%s,"id":1,"jsonrpc":"2.0"}`, `1`},
		"an error":       {`{"jsonrpc":"2.0","id":"1","error":{"code":1,"message":%s}}`, `"1"`},
		"a notification": {`{"jsonrpc":"2.0","method":"x","params":{"id":1,"x":%s}}`, ``},
		"a request":      {`{"jsonrpc":"2.0","id":1,"method":"x","params":%s}`, ``},
		"request, late":  {`{"jsonrpc":"2.0","params":%s,"id":1,"method":"x"}`, ``},
		"no id":          {`{"result":%s}`, ``},
		"id in a string": {`{"result":%s,"x":"\",\"id\":1}"}`, ``},
		"no JSON":        {`%s`, ``},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			p := fake(t, "big", func(o *stdio.Options) { o.MaxLine = 100_000 })
			p.request(1, bigParams(300_000, test.form))
			size := 300_002 + len(test.form) - 2
			text := p.noted(wire.NoteNotProtocol, "too large")
			if want := fmt.Sprintf("message too large: the server sent a message of %d bytes, the limit is 100000", size); !strings.HasPrefix(text, want) {
				t.Errorf("want %q, got %q", want, text)
			}
			p.request(2, bigParams(3, `{"id":2,"result":%s}`))
			if test.id != "" {
				made := p.message(0)
				if got := string(made.Message.ID); got != test.id || made.Message.Err() == nil {
					t.Errorf("want an error for %s, got %s", test.id, made.Message.Raw)
				}
				if !errors.Is(made.Err, wire.ErrTooLarge) {
					t.Errorf("want ErrTooLarge, got %v", made.Err)
				}
				if !strings.Contains(made.Message.Err().Message, "100000") {
					t.Errorf("the limit is not named: %s", made.Message.Err())
				}
			}
			p.until("the next answer", func() bool { return len(p.messages) > 0 && string(p.messages[len(p.messages)-1].Message.ID) == "2" })
			if want := min(len(test.id), 1) + 1; len(p.messages) != want {
				t.Errorf("want %d messages, got %d", want, len(p.messages))
			}
		})
	}
}

func TestMessagesOfManySendersStayWhole(t *testing.T) {
	t.Parallel()
	const senders, each = 16, 25
	p := fake(t, "echo", nil)
	var all sync.WaitGroup
	for sender := range senders {
		all.Go(func() {
			for i := range each {
				params := fmt.Sprintf("{\"text\":%q,\n\r\n\"x\":[\n1]}", strings.Repeat("ü", sender*i*20))
				p.request(int64(sender*each+i), params)
			}
		})
	}
	all.Wait()
	p.until("all answers", func() bool { return len(p.messages) == senders*each })
	for _, in := range p.messages {
		var id int
		_ = json.Unmarshal(in.Message.ID, &id)
		var result struct{ Text string }
		if err := json.Unmarshal(in.Message.Result, &result); err != nil {
			t.Fatal(err)
		}
		if want := strings.Repeat("ü", (id/each)*(id%each)*20); result.Text != want {
			t.Errorf("%d: want %d bytes, got %d", id, len(want), len(result.Text))
		}
	}
}

// Every size meets the moment at which the pipe has no more room in another way.
func TestWhatAFullPipeHoldsUpArrivesWholeAndInOrder(t *testing.T) {
	t.Parallel()
	for _, size := range []int{100, 3000, 5000, 100_000} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			t.Parallel()
			begin := filepath.Join(t.TempDir(), "begin")
			p := fake(t, "late", nil, begin)
			params := json.RawMessage(`"` + strings.Repeat("x", size) + `"`)
			briefly := func(id int64) error {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				return p.send(ctx, wire.NewRequest(id, "test", params))
			}
			held := int64(1)
			var err error
			for err = briefly(held); err == nil; err = briefly(held) {
				held++
			}
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, wire.ErrNotSent) {
				t.Errorf("the one that is being written: got %v", err)
			}
			if err := briefly(held + 1); !errors.Is(err, wire.ErrNotSent) {
				t.Errorf("the next one: want ErrNotSent, got %v", err)
			}
			if err := os.WriteFile(begin, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			p.request(held+2, string(params))
			for i := range held + 1 {
				want := fmt.Sprint(i + 1)
				if i == held {
					want = fmt.Sprint(held + 2)
				}
				if got := p.message(int(i)).Message; string(got.ID) != want || len(got.Result) != len(params) {
					t.Fatalf("answer %d: want that of %s, got %.100s", i, want, got.Raw)
				}
			}
		})
	}
}

func bigParams(size int, form string) string {
	params, _ := json.Marshal(map[string]any{"size": size, "form": form})
	return string(params)
}
