package client

import (
	"context"
	"time"
)

// hearingWait is how long after the handshake a request waits for the stream on
// which the server may ask about it. A server that accepts the stream and says no
// more about it takes that long once, for its first requests.
const hearingWait = 2 * time.Second

// hears takes what Listen answered.
func (c *conn) hears(tried <-chan struct{}) {
	c.tried, c.heardBy = tried, time.Now().Add(hearingWait)
}

// hearing waits until what the server says unasked would arrive. A question that it
// asks before is lost, and the call that it asks for waits for ever.
func (c *conn) hearing(ctx context.Context) error {
	select {
	case <-c.tried:
		return nil
	default:
		if c.tried == nil {
			return nil
		}
	}
	timer := time.NewTimer(time.Until(c.heardBy))
	defer timer.Stop()
	select {
	case <-c.tried:
	case <-timer.C:
	case <-c.done: // sending says why
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}
