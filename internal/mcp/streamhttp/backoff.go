package streamhttp

import "time"

const (
	// An answer's stream that broke is resumed after the wait that it asked for
	// (2025-11-25, basic/transports "Resumability and Redelivery").
	resumeWait    = 250 * time.Millisecond
	maxResumeWait = 30 * time.Second
	// minWait keeps a server that asks for no wait at all from being flooded.
	minWait = 50 * time.Millisecond
	// maxBarrenResumes is how many resumptions in a row may bring nothing.
	maxBarrenResumes = 5

	minListenWait = time.Second
	maxListenWait = time.Minute
	// maxBarrenListens is how many openings in a row may bring nothing.
	maxBarrenListens = 8
	// listenHeld is how long a silent stream must stay open to count as working:
	// a server with nothing to say behind a proxy that cuts idle streams is well.
	listenHeld = 10 * time.Second
)

// resumeAfter is the wait before resuming an answer; asked is the stream's own
// retry, negative when it set none.
func resumeAfter(asked time.Duration) time.Duration {
	if asked < 0 {
		return resumeWait
	}
	return min(max(asked, minWait), maxResumeWait)
}

// listenAfter is the wait before the stream for the server's own messages is
// opened again: what the server asked for (negative: nothing, which means a
// second), but after openings in a row that brought nothing at least a second,
// doubled with each, up to a minute. So a server that asks for short waits still
// has two minutes to restart in before the stream is given up.
func listenAfter(asked time.Duration, barren int) time.Duration {
	wait := minListenWait
	if asked >= 0 {
		wait = min(max(asked, minWait), maxListenWait)
	}
	if barren == 0 {
		return wait
	}
	return max(wait, min(minListenWait<<min(barren-1, 10), maxListenWait))
}

// barrenListen tells whether one opening brought nothing.
func barrenListen(events int, open time.Duration) bool {
	return events == 0 && open < listenHeld
}
