package streamhttp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

func BenchmarkSend(b *testing.B) {
	for _, size := range []int{0, 1 << 20} {
		for _, stream := range []bool{false, true} {
			b.Run(fmt.Sprintf("bytes=%d/stream=%v", size, stream), func(b *testing.B) { benchmarkSend(b, size, stream) })
		}
	}
}

func benchmarkSend(b *testing.B, size int, stream bool) {
	answer := []byte(`{"jsonrpc":"2.0","id":1,"result":{"text":"` + strings.Repeat("x", size) + `"}}`)
	kind := "application/json"
	if stream {
		kind, answer = endpoint.EventStream, append(append([]byte("event: message\ndata: "), answer...), "\n\n"...)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", kind)
		if !stream {
			w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
		}
		_, _ = io.Copy(w, bytes.NewReader(answer))
	}))
	defer server.Close()
	pool := &http.Transport{MaxIdleConnsPerHost: 64}
	defer pool.CloseIdleConnections()
	tr, err := New(endpoint.Options{URL: server.URL, Client: &http.Client{Transport: pool}}, wire.Receiver{})
	if err != nil {
		b.Fatal(err)
	}
	defer tr.Close()
	out := request(1, "tools/call")
	b.SetParallelism(32) // 64 at a time on two cores
	b.SetBytes(int64(len(answer)))
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := tr.Send(context.Background(), out); err != nil {
				b.Error(err)
			}
		}
	})
}
