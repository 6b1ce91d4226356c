//go:build unix

package stdio_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
)

// BenchmarkRoundTrip sends a request and waits for its answer, in two processes.
func BenchmarkRoundTrip(b *testing.B) {
	for label, size := range map[string]int{"small": 100, "1MiB": 1 << 20} {
		b.Run(label, func(b *testing.B) {
			answers := make(chan struct{})
			dial := stdio.Dialer(stdio.Options{Command: os.Args[0], Env: []string{fakeVar + "=echo"}})
			transport, err := dial(b.Context(), wire.Receiver{Message: func(wire.Incoming) { answers <- struct{}{} }})
			if err != nil {
				b.Fatal(err)
			}
			defer transport.Close()
			request := wire.NewRequest(1, "x", json.RawMessage(`"`+strings.Repeat("x", size)+`"`))
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if err := transport.Send(b.Context(), wire.Outgoing{Message: request}); err != nil {
					b.Fatal(err)
				}
				<-answers
			}
		})
	}
}
