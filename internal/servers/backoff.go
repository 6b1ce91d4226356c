package servers

import "time"

// How a lost or failing server is dialled again by itself.
const (
	backoffFirst = 500 * time.Millisecond
	backoffMost  = 30 * time.Second
	// backoffAttempts are the dials in a row after which it is given up.
	backoffAttempts = 20
	// stable is how long a connection must have lasted for its loss to count as
	// the first: a server that crashes right after its start is slowed down.
	stable = 30 * time.Second
)

// backoff is the wait before the next dial after a number of failures in a row;
// ok is false when there have been enough. The wait doubles, and a random
// fraction in [0, 1) takes up to half of it off, so that servers that were lost
// together don't come back together.
func backoff(failures int, random float64) (wait time.Duration, ok bool) {
	if failures > backoffAttempts {
		return 0, false
	}
	wait = backoffMost
	if doublings := failures - 1; doublings < 6 {
		wait = min(backoffFirst<<max(doublings, 0), backoffMost)
	}
	return wait - time.Duration(random*float64(wait)/2), true
}
