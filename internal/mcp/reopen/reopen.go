// Package reopen decides when a stream on which a server says things unasked is
// opened again after it has ended, and when that is given up. It opens nothing
// and knows no kind of stream.
package reopen

import "time"

const (
	// Most is how many openings in a row may bring nothing.
	Most = 8

	first = time.Second
	last  = time.Minute
	// least keeps a server that asks for no wait at all from being flooded.
	least = 50 * time.Millisecond
	// held is how long a silent stream must stay open to count as working: a
	// server with nothing to say behind a proxy that cuts idle streams is well.
	held = 10 * time.Second
)

// Tries counts the openings of one stream. The zero value is ready.
type Tries struct {
	// Barren is how many in a row have brought nothing.
	Barren int
}

// Ended notes the end of an opening: whether it brought anything, how long it was
// open, and the wait that the server asked for, negative when it asked for none.
// ok is false when the stream is to be given up.
func (t *Tries) Ended(news bool, open, asked time.Duration) (wait time.Duration, ok bool) {
	if barren(news, open) {
		t.Barren++
	} else {
		t.Barren = 0
	}
	return after(asked, t.Barren), t.Barren < Most
}

func barren(news bool, open time.Duration) bool { return !news && open < held }

// after is the wait before the next opening: what the server asked for (nothing
// means a second), but after openings in a row that brought nothing at least a
// second, doubled with each, up to a minute. So a server that asks for short
// waits still has two minutes to restart in before the stream is given up.
func after(asked time.Duration, barren int) time.Duration {
	wait := first
	if asked >= 0 {
		wait = min(max(asked, least), last)
	}
	if barren == 0 {
		return wait
	}
	return max(wait, min(first<<min(barren-1, 10), last))
}
