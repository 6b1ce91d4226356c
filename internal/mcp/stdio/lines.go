package stdio

import (
	"bytes"
	"io"
)

const (
	// smallBuffer is what a quiet stream holds.
	smallBuffer = 4 << 10
	// largeBuffer is as much as a pipe gives in one read.
	largeBuffer = 64 << 10
	// tailLength is how much of the end of a line over the limit is kept.
	tailLength = 256
)

// lineReader cuts a stream into lines. Several small reads make one line, and
// one large read several; a line over the limit is read to its end, and not kept.
type lineReader struct {
	source io.Reader
	limit  int // longest line that is kept whole
	keep   int // bytes kept of the beginning of a longer one
	buf    []byte
	start  int // buf[start:end] is read and not yet handed out
	end    int
	err    error // what source ended with
	expect int   // length of the last large line: one like it may come again
}

// line is one line without its newline or CR LF. Its bytes belong to the taker.
type line struct {
	data []byte
	// size is the line's length in the stream; where it is over the limit, data
	// is the line's beginning and tail its end.
	size  int
	tail  []byte
	ended bool // by a newline, not by the end of the stream
}

// next answers the next line, and after the last one the stream's error.
func (l *lineReader) next() (line, error) {
	searched := 0
	for {
		if i := bytes.IndexByte(l.buf[l.start+searched:l.end], '\n'); i >= 0 {
			return l.cut(searched+i, true), nil
		}
		searched = l.end - l.start
		if searched > l.limit+1 { // a CR may be the one more
			return l.skip(), nil
		}
		if l.err != nil {
			if searched > 0 {
				return l.cut(searched, false), nil
			}
			return line{}, l.err
		}
		l.fill()
	}
}

// fill reads once, behind what is in the buffer.
func (l *lineReader) fill() {
	switch pending := l.end - l.start; {
	case l.buf == nil:
		l.buf = make([]byte, smallBuffer)
	case l.end < len(l.buf):
	case l.start > 0 && pending <= len(l.buf)/2:
		copy(l.buf, l.buf[l.start:l.end])
		l.start, l.end = 0, pending
	default:
		grown := make([]byte, l.grownSize())
		copy(grown, l.buf[l.start:l.end])
		l.buf, l.start, l.end = grown, 0, pending
	}
	var n int
	n, l.err = l.source.Read(l.buf[l.end:])
	l.end += n
}

// grownSize doubles the buffer, or goes at once to what the last large line took:
// servers that send large results send several, and doubling costs each of them
// four times its size in memory that is cleared and dropped.
func (l *lineReader) grownSize() int {
	doubled := max(largeBuffer, 2*len(l.buf))
	if len(l.buf) >= largeBuffer && doubled < l.expect {
		return l.expect + smallBuffer
	}
	return doubled
}

// cut hands out the next size bytes of the buffer and drops the newline behind
// them. A large line takes the buffer along, a small one is copied.
func (l *lineReader) cut(size int, ended bool) line {
	data := l.buf[l.start : l.start+size]
	l.start += size
	if ended {
		l.start++
		data = bytes.TrimSuffix(data, []byte("\r"))
	}
	if len(data) > l.limit {
		return line{data: bytes.Clone(data[:l.keep]), tail: tailOf(nil, data, tailLength), size: len(data), ended: ended}
	}
	rest := l.buf[l.start:l.end]
	switch {
	case len(data) >= largeBuffer/2 && len(data) >= len(l.buf)/4:
		data = data[:len(data):len(data)]
		l.expect = len(data)
		l.rebuffer(rest)
	default:
		data = bytes.Clone(data)
		if len(rest) == 0 && len(l.buf) > smallBuffer {
			l.rebuffer(nil) // fifty quiet servers must not hold what their busiest moment took
		}
	}
	return line{data: data, size: len(data), ended: ended}
}

// rebuffer goes on with a new buffer that begins with rest.
func (l *lineReader) rebuffer(rest []byte) {
	buf := make([]byte, max(smallBuffer, len(rest)))
	l.end = copy(buf, rest)
	l.buf, l.start = buf, 0
}

// skip reads the rest of a line whose beginning in the buffer is over the limit.
func (l *lineReader) skip() line {
	part := l.buf[l.start:l.end]
	long := line{data: bytes.Clone(part[:l.keep]), size: len(part), tail: tailOf(nil, part, tailLength+1)}
	l.buf, l.start, l.end = make([]byte, largeBuffer), 0, 0
	for l.err == nil {
		var n int
		n, l.err = l.source.Read(l.buf)
		part := l.buf[:n]
		if i := bytes.IndexByte(part, '\n'); i >= 0 {
			part = part[:i]
			long.ended = true
			l.start, l.end = i+1, n
		}
		long.size += len(part)
		long.tail = tailOf(long.tail, part, tailLength+1)
		if long.ended {
			break
		}
	}
	if whole, cr := bytes.CutSuffix(long.tail, []byte("\r")); cr && long.ended {
		long.tail = whole
		long.size--
	}
	long.tail = tailOf(nil, long.tail, tailLength)
	return long
}

// tailOf is the end of earlier and part together, at most n bytes.
func tailOf(earlier, part []byte, n int) []byte {
	if len(part) >= n {
		return bytes.Clone(part[len(part)-n:])
	}
	both := append(earlier, part...)
	return both[max(0, len(both)-n):]
}
