package oauth

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"kontor.dev/kontor/internal/model"
)

// maxDocument is the limit of a metadata document and of a registration's answer.
const maxDocument = 1 << 20

// absentError is an answer that isn't the document: not found, a web page, an
// error of the server. The search for it goes on elsewhere.
type absentError struct{ why string }

func (e *absentError) Error() string { return e.why }

// getJSON reads a metadata document. An answer that is none is an *absentError;
// anything else is a connection that failed.
func getJSON(ctx context.Context, client *http.Client, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return &absentError{"no URL"}
	}
	req.Header.Set("Accept", "application/json")
	resp, err := stopping(client).Do(req)
	if err != nil {
		return model.Errorf(model.CodeServerUnavailable, "%s can't be reached: %w", hostOf(address), reason(err))
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return &absentError{fmt.Sprintf("HTTP %d", resp.StatusCode)}
	}
	body, err := readAll(resp)
	if err != nil {
		return model.Errorf(model.CodeServerUnavailable, "%s: its answer broke off: %w", hostOf(address), err)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return &absentError{"not JSON, or of another shape"}
	}
	return nil
}

// stopping is a client for which a redirect that it mustn't follow is the answer,
// and not a failure: proxies send everybody without a session to a sign-in page.
func stopping(client *http.Client) *http.Client {
	c := *client
	c.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if client.CheckRedirect == nil || client.CheckRedirect(next, via) != nil {
			return http.ErrUseLastResponse
		}
		return nil
	}
	return &c
}

// readAll reads an answer's body, cut at maxDocument.
func readAll(resp *http.Response) ([]byte, error) {
	return io.ReadAll(io.LimitReader(resp.Body, maxDocument))
}
