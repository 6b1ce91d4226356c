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
)

// resumeAfter is the wait before resuming an answer; asked is the stream's own
// retry, negative when it set none.
func resumeAfter(asked time.Duration) time.Duration {
	if asked < 0 {
		return resumeWait
	}
	return min(max(asked, minWait), maxResumeWait)
}
