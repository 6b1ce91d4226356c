package kontor

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// Answer is an HTTP answer, read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Problem is an error answer (RFC 9457).
type Problem struct {
	Status     int
	Code       string
	Detail     string
	Resolution *Resolution
	Errors     []struct{ Location, Message string }
	Stages     []Stage
}

// Stage is a step of trying a configuration.
type Stage struct {
	Stage, Code, Message string
	OK                   bool
}

// Client speaks to the API as one token.
type Client struct {
	base   string
	token  string
	header map[string]string
	http   *http.Client
}

// As is a client with another token; empty for nobody.
func (k *Kontor) As(token string) Client {
	return Client{base: "http://" + k.Address, token: token, http: k.http}
}

// With is the client with more headers; Host is one of them.
func (c Client) With(header map[string]string) Client {
	c.header = header
	return c
}

// Do sends a request. The body is sent as it is when it is bytes or a RawMessage,
// else as JSON; nil sends none. It may be used from any goroutine.
func (c Client) Do(method, path string, body any) (Answer, error) {
	content, err := encode(body)
	if err != nil {
		return Answer{}, err
	}
	req, err := http.NewRequest(method, c.base+path, bytes.NewReader(content))
	if err != nil {
		return Answer{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	req.Host = req.Header.Get("Host")
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	return Answer{res.StatusCode, res.Header, read}, err
}

func encode(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return b, nil
	case json.RawMessage:
		return b, nil
	}
	return json.Marshal(body)
}

// Get reads a path of the API into out, which may be nil, and returns the bytes.
func (k *Kontor) Get(path string, out any) []byte {
	k.t.Helper()
	return k.Send(http.StatusOK, http.MethodGet, path, nil, out)
}

// Post sends body to a path of the API and reads the answer into out.
func (k *Kontor) Post(path string, body, out any) []byte {
	k.t.Helper()
	return k.Send(http.StatusOK, http.MethodPost, path, body, out)
}

// Send makes a request with full access; another status than want fails the test.
func (k *Kontor) Send(want int, method, path string, body, out any) []byte {
	k.t.Helper()
	got, err := k.As(Token).Do(method, path, body)
	if err != nil {
		k.t.Fatalf("%s %s: %v", method, path, err)
	}
	if got.Status != want {
		k.t.Fatalf("%s %s: status %d, want %d: %s", method, path, got.Status, want, got.Body)
	}
	if out != nil {
		if err := json.Unmarshal(got.Body, out); err != nil {
			k.t.Fatalf("%s %s: %v: %.300s", method, path, err, got.Body)
		}
	}
	return got.Body
}

// Refused makes a request that must be refused with the status.
func (k *Kontor) Refused(want int, method, path string, body any) Problem {
	k.t.Helper()
	var p Problem
	k.Send(want, method, path, body, &p)
	return p
}
