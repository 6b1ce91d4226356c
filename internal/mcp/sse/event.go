// Package sse reads event streams (text/event-stream; HTML Standard, "Server-sent
// events"). It knows no protocol on top of them.
package sse

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strconv"
	"time"

	"golang.org/x/net/http/httpguts"

	"kontor.dev/kontor/internal/mcp/wire"
)

// Event is one event. Data may be empty: such an event only sets an id.
type Event struct {
	Name string
	Data []byte
}

// Reader reads events as they come, however the stream is cut into reads.
type Reader struct {
	// LastID is the id to resume after; empty when the stream gave none.
	LastID string
	// Retry is the wait that the stream asked for; negative when it asked for none.
	Retry time.Duration
	// Idle is how long a stream that sends keep-alives may be silent before it
	// ends with ErrSilent; 0 is for ever.
	Idle time.Duration
	// Cut ends the body at once, so that a read of it returns; it is called from
	// another goroutine. Without it Idle has no effect.
	Cut func()

	pulse  pulse
	silent bool // Cut was called

	r       *bufio.Reader
	max     int
	line    []byte // collects a line that reaches over a read
	started bool
	skipLF  bool
}

// NewReader reads a stream from r. max is how many bytes the data of one event
// may have.
func NewReader(r *bufio.Reader, max int) *Reader {
	return &Reader{r: r, max: max, Retry: -1}
}

// Resume makes the reader go on with a new body of the same stream.
func (d *Reader) Resume(body io.Reader) {
	d.r.Reset(body)
	d.started, d.skipLF, d.silent = false, false, false
	d.pulse.pause()
}

// Next returns the next event, whose data the caller may keep. Its error is the
// body's (io.EOF after a clean end, where an unfinished event is discarded, as
// the standard says), or wire.ErrTooLarge, after which the reader stands in the
// middle of an event and can only be resumed.
func (d *Reader) Next() (Event, error) {
	var (
		e     Event
		id    = d.LastID
		hasID bool
		lines int
		any   bool
	)
	for {
		line, owned, err := d.readLine(len(e.Data))
		if err != nil {
			if err == wire.ErrTooLarge {
				d.LastID = id // so that resuming goes past this event
			}
			return Event{}, err
		}
		if len(line) == 0 {
			d.LastID = id
			if !any {
				continue // a comment's end
			}
			if keepsAlive(e, hasID) {
				d.pulse.beat(time.Now())
			}
			return e, nil
		}
		name, value := field(line)
		any = any || len(name) > 0
		switch string(name) {
		case "": // a comment
			d.pulse.beat(time.Now())
		case "data":
			switch {
			case lines > 0:
				e.Data = append(append(e.Data, '\n'), value...)
			case owned:
				e.Data, d.line = value, nil
			default:
				e.Data = bytes.Clone(value)
			}
			lines++
		case "event":
			e.Name = string(value)
		case "id":
			hasID = true
			if s := string(value); httpguts.ValidHeaderFieldValue(s) { // it goes into Last-Event-ID
				id = s
			}
		case "retry":
			d.setRetry(value)
		}
	}
}

// field splits a line at its first colon and takes one blank off the value. A
// comment has an empty name.
func field(line []byte) (name, value []byte) {
	name, value, _ = bytes.Cut(line, []byte(":"))
	return name, bytes.TrimPrefix(value, []byte(" "))
}

func (d *Reader) setRetry(value []byte) {
	for _, c := range value {
		if c < '0' || c > '9' {
			return
		}
	}
	// Twelve digits are 30 years: more would overflow, and none is worth a wait.
	if ms, err := strconv.ParseInt(string(value), 10, 64); err == nil && len(value) <= 12 {
		d.Retry = time.Duration(ms) * time.Millisecond
	}
}

// readLine returns the next line without its end (LF, CRLF or CR). owned says
// that the line is d.line; otherwise it is good until the next read. used counts
// the data that the event already has.
func (d *Reader) readLine(used int) (line []byte, owned bool, err error) {
	const fieldName = len("data: ")
	d.line = d.line[:0]
	for {
		window, err := d.window()
		if err != nil {
			return nil, false, err
		}
		end := lineEnd(window)
		n := end
		if end < 0 {
			n = len(window)
		}
		if used+len(d.line)+n > d.max+fieldName {
			return nil, false, wire.ErrTooLarge
		}
		if end < 0 {
			d.collect(window)
			_, _ = d.r.Discard(n)
			continue
		}
		// After a CR nobody waits for the LF: it may come with the next event.
		d.skipLF = window[end] == '\r'
		if len(d.line) > 0 {
			d.collect(window[:n])
			line, owned = d.line, true
		} else {
			line = window[:n]
		}
		_, _ = d.r.Discard(n + 1) // leaves the bytes in place until the next Peek
		return line, owned, nil
	}
}

// window is what can be read without waiting, at least one byte, past a byte
// order mark and the second half of a CRLF.
func (d *Reader) window() ([]byte, error) {
	for {
		first, err := d.await()
		if err != nil {
			return nil, err
		}
		switch {
		case !d.started:
			d.started = true
			if first[0] == 0xEF {
				if mark, _ := d.r.Peek(3); string(mark) == "\uFEFF" {
					_, _ = d.r.Discard(3)
				}
			}
			continue
		case d.skipLF:
			d.skipLF = false
			if first[0] == '\n' {
				_, _ = d.r.Discard(1)
				continue
			}
		}
		return d.r.Peek(d.r.Buffered())
	}
}

// collect appends to d.line, doubling it: append alone grows large slices by a
// quarter, which copies a result of megabytes many times over.
func (d *Reader) collect(b []byte) {
	if cap(d.line)-len(d.line) < len(b) {
		d.line = slices.Grow(d.line, max(len(b), cap(d.line)))
	}
	d.line = append(d.line, b...)
}

// lineEnd is the index of the first LF or CR, or -1.
func lineEnd(b []byte) int {
	lf := bytes.IndexByte(b, '\n')
	if lf >= 0 {
		b = b[:lf]
	}
	if cr := bytes.IndexByte(b, '\r'); cr >= 0 {
		return cr
	}
	return lf
}
