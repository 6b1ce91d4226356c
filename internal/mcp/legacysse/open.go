package legacysse

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

// endpointWait is how long the endpoint event may take. A server that accepts the
// GET and says nothing is no server of this kind.
const endpointWait = 20 * time.Second

var errNoEndpoint = fmt.Errorf("the server opened an event stream, but named no endpoint on it within %s", endpointWait)

// open opens the stream and waits for its endpoint event.
func open(ctx context.Context, to *endpoint.Endpoint, r wire.Receiver) (*Transport, error) {
	if r.Message == nil {
		r.Message = func(wire.Incoming) {}
	}
	t := &Transport{to: to, receive: r, done: make(chan struct{}), waiting: map[string]chan struct{}{}}
	t.life, t.end = context.WithCancelCause(context.Background())
	stop := context.AfterFunc(ctx, func() { t.end(context.Cause(ctx)) })
	defer stop()
	late := time.AfterFunc(endpointWait, func() { t.end(errNoEndpoint) })
	defer late.Stop()
	resp, err := t.get()
	if err != nil {
		t.end(err)
		return nil, err
	}
	t.events = stream(to, resp)
	if t.post, err = t.endpoint(resp.Request.URL); err == nil && t.life.Err() != nil {
		err = context.Cause(t.life)
	}
	if err != nil {
		t.end(err)
		_ = resp.Body.Close()
		return nil, err
	}
	t.reader.Go(func() { t.read(resp.Body) })
	return t, nil
}

// get asks for the stream.
func (t *Transport) get() (*http.Response, error) {
	req := t.to.Request(t.life, http.MethodGet)
	req.Header["Accept"] = []string{endpoint.EventStream}
	resp, err := t.to.Do(req)
	if err != nil {
		return nil, endpoint.Reason(t.life, err)
	}
	switch {
	case resp.StatusCode == http.StatusOK && endpoint.MediaType(resp) == endpoint.EventStream:
		return resp, nil
	case resp.StatusCode/100 == 3:
		err = endpoint.Redirected(resp)
	default:
		err = endpoint.HTTPError(resp, endpoint.Beginning(resp.Body))
	}
	_ = resp.Body.Close()
	return nil, err
}

// endpoint reads the stream up to the event that names the address for messages.
// It must be the first one; keep-alives before it are forgiven.
func (t *Transport) endpoint(base *url.URL) (*url.URL, error) {
	for {
		e, err := t.events.Next()
		switch {
		case err != nil:
			return nil, t.reason(err)
		case e.Name == "endpoint":
			return resolve(base, string(e.Data))
		case len(e.Data) > 0 && (e.Name == "" || e.Name == "message"):
			return nil, errors.New("the server opened an event stream, but its first event names no endpoint")
		}
	}
}

// resolve reads an endpoint, relative or absolute. Messages carry credentials and
// a person's data: they go to the origin that the person chose, and nowhere else.
func resolve(base *url.URL, text string) (*url.URL, error) {
	to, err := base.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || strings.TrimSpace(text) == "":
		return nil, fmt.Errorf("%w: it is no address", wire.ErrEndpointRefused)
	case !endpoint.SameOrigin(base, to) || to.User != nil:
		return nil, fmt.Errorf("%w: the server wants its messages at %s, which is not its own origin", wire.ErrEndpointRefused, endpoint.Shown(to))
	}
	to.Fragment, to.RawFragment = "", ""
	return to, nil
}
