package streamhttp

import (
	"net/http"
	"testing"

	"kontor.dev/kontor/internal/mcp/endpoint"
	"kontor.dev/kontor/internal/mcp/wire"
)

func TestDialerChecksOnceAndSendsNothing(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]endpoint.Options{
		"no client": {URL: "http://h/"}, "address": {URL: "h", Client: http.DefaultClient},
		"header": {URL: "http://h/", Client: http.DefaultClient, Header: http.Header{"Host": {"x"}}},
	} {
		if _, err := Dialer(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	client := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		t.Errorf("%s %s", r.Method, r.URL)
		return nil, http.ErrServerClosed
	})}
	dial, err := Dialer(endpoint.Options{URL: "http://h/", Client: client})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := dial(t.Context(), wire.Receiver{})
	if err != nil {
		t.Fatal(err)
	}
	if err := tr.Close(); err != nil {
		t.Error(err)
	}
	if client.CheckRedirect != nil {
		t.Error("the client that was handed in is changed")
	}
}
