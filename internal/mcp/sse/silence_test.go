package sse

import (
	"bufio"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// said is a piece of a stream after a wait.
type said struct {
	after time.Duration
	text  string
}

// hear reads a stream that says pieces and then nothing, and answers when and how
// it ended.
func hear(t *testing.T, idle time.Duration, pieces ...said) (time.Duration, error) {
	t.Helper()
	r, w := io.Pipe()
	go func() {
		for _, p := range pieces {
			time.Sleep(p.after)
			_, _ = w.Write([]byte(p.text))
		}
		time.Sleep(time.Hour)
		_ = w.Close()
	}()
	start := time.Now()
	d := NewReader(bufio.NewReader(r), 1000)
	d.Idle, d.Cut = idle, func() { _ = r.Close() }
	for {
		if _, err := d.Next(); err != nil {
			return time.Since(start), err
		}
	}
}

func TestAStreamThatSendsKeepAlivesMustGoOn(t *testing.T) {
	t.Parallel()
	const second, minute = time.Second, time.Minute
	for name, c := range map[string]struct {
		idle   time.Duration
		pieces []said
		want   time.Duration // 0: to its own end
	}{
		"comments":              {minute, []said{{0, ": a\n\n"}, {10 * second, ": b\n\n"}}, 10*second + minute},
		"ping events":           {minute, []said{{0, "event: ping\ndata: x\n\n"}, {second, "event: ping\ndata: x\n\n"}}, second + minute},
		"empty events":          {minute, []said{{0, "data:\n\n"}, {second, "data:\n\n"}}, second + minute},
		"messages put it off":   {minute, []said{{0, ":\n\n"}, {second, ":\n\n"}, {50 * second, "data: {}\n\n"}}, 51*second + minute},
		"a slow pulse":          {minute, []said{{0, ":\n\n"}, {50 * second, ":\n\n"}}, 50*second + 150*second},
		"half a line":           {minute, []said{{0, ":\n\n"}, {second, ":\n\ndata: {"}}, second + minute},
		"a greeting":            {minute, []said{{0, ": hello\n\n"}}, 0},
		"a greeting of many":    {minute, []said{{0, ": hello\n: padding\n\n: more\n\n"}}, 0},
		"messages alone":        {minute, []said{{0, "data: {}\n\n"}, {second, "data: {}\n\n"}}, 0},
		"events that set an id": {minute, []said{{0, "id: 1\ndata:\n\n"}, {second, "id: 2\ndata:\n\n"}}, 0},
		"no limit":              {0, []said{{0, ":\n\n"}, {second, ":\n\n"}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				took, err := hear(t, c.idle, c.pieces...)
				if c.want == 0 {
					if err != io.EOF {
						t.Errorf("it ended after %v with %v", took, err)
					}
				} else if took != c.want || !errors.Is(err, ErrSilent) {
					t.Errorf("it ended after %v with %v, want ErrSilent after %v", took, err, c.want)
				}
				time.Sleep(2 * time.Hour) // let the server end
			})
		})
	}
}
