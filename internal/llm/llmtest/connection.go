package llmtest

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// stopped begins an answer that never ends, and stops it.
func (d Dialect) stopped(t *testing.T, cancel bool) {
	gone := make(chan struct{})
	start := bytes.SplitAfter(recording(t, Overloaded), []byte("Let"))[0]
	rest := recording(t, Overloaded)[len(start):]
	line, _, _ := bytes.Cut(rest, []byte("\n\n"))
	p := d.serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(append(append(start, line...), "\n\n"...))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	}, 0)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var last error
	for e, err := range p.Stream(ctx, Hello()) {
		if last = err; err != nil {
			break
		}
		if _, ok := e.(llm.TextDelta); ok {
			if !cancel {
				break
			}
			stop()
		}
	}
	if cancel && model.CodeOf(last) != model.CodeCancelled {
		t.Errorf("got %v, want %q", last, model.CodeCancelled)
	}
	select {
	case <-gone:
	case <-time.After(5 * time.Second):
		t.Error("the server still has its client")
	}
}

func (d Dialect) silent(t *testing.T) {
	p := d.serve(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}, 20*time.Millisecond)
	if o := Collect(t.Context(), p, Hello()); model.CodeOf(o.Err) != model.CodeTimeout {
		t.Errorf("got %v, want %q", o.Err, model.CodeTimeout)
	}
}

func (d Dialect) unreachable(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	o := Collect(t.Context(), d.at(t, s.URL+"?key="+Canary, 0), Hello())
	if model.CodeOf(o.Err) != llm.CodeUnreachable {
		t.Errorf("got %v, want %q", o.Err, llm.CodeUnreachable)
	}
	wantNoKey(t, o.Err)
}

func (d Dialect) page(t *testing.T) {
	p := d.serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>Sign in</html>")
	}, 0)
	if o := Collect(t.Context(), p, Hello()); model.CodeOf(o.Err) != model.CodeProtocol {
		t.Errorf("got %v, want %q", o.Err, model.CodeProtocol)
	}
}

// lost ends the connection itself in the middle of an event.
func (d Dialect) lost(t *testing.T) {
	b := recording(t, Tools)
	p := d.serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = w.Write(b[:len(b)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, 0)
	if o := Collect(t.Context(), p, Hello()); model.CodeOf(o.Err) != llm.CodeCutStream {
		t.Errorf("got %v, want %q", o.Err, llm.CodeCutStream)
	}
}
