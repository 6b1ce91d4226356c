package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"kontor.dev/kontor/internal/config"
	"kontor.dev/kontor/internal/model"
)

// Remote talks to a running Kontor over its socket.
type Remote struct{ client *http.Client }

// Reach finds the Kontor that runs on the data folder; ok is false when none does.
func Reach(ctx context.Context, c config.Config) (r *Remote, ok bool) {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", c.Socket())
	}
	conn, err := dial(ctx, "", "")
	if err != nil || conn.Close() != nil {
		return nil, false
	}
	return &Remote{&http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}}, true
}

// Link is a new sign-in link.
func (r *Remote) Link(ctx context.Context) (string, error) {
	return ask[string](ctx, r, "/link", struct{}{})
}

// SetPassword implements Admin.
func (r *Remote) SetPassword(ctx context.Context, password string) error {
	return tell(ctx, r, "/password", password)
}

// CreateToken implements Admin.
func (r *Remote) CreateToken(ctx context.Context, q TokenRequest) (CreatedToken, error) {
	return ask[CreatedToken](ctx, r, "/token/create", q)
}

// Tokens implements Admin.
func (r *Remote) Tokens(ctx context.Context) ([]model.Token, error) {
	return ask[[]model.Token](ctx, r, "/token/list", struct{}{})
}

// RevokeToken implements Admin.
func (r *Remote) RevokeToken(ctx context.Context, id string) error {
	return tell(ctx, r, "/token/revoke", id)
}

// Import implements Admin.
func (r *Remote) Import(ctx context.Context, o ImportOrder) ([]Imported, error) {
	return ask[[]Imported](ctx, r, "/import", o)
}

// Backup implements Admin.
func (r *Remote) Backup(ctx context.Context, path string) error { return tell(ctx, r, "/backup", path) }

// RotateKey implements Admin.
func (r *Remote) RotateKey(ctx context.Context) error { return tell(ctx, r, "/key/rotate", struct{}{}) }

// ServerNames implements Doctor.
func (r *Remote) ServerNames(ctx context.Context) ([]string, error) {
	return ask[[]string](ctx, r, "/doctor/names", struct{}{})
}

// Diagnose implements Doctor.
func (r *Remote) Diagnose(ctx context.Context, q Complaint) ([]Diagnosis, error) {
	return ask[[]Diagnosis](ctx, r, "/doctor", q)
}

func tell(ctx context.Context, r *Remote, path string, in any) error {
	_, err := ask[struct{}](ctx, r, path, in)
	return err
}

func ask[O any](ctx context.Context, r *Remote, path string, in any) (out O, err error) {
	body, err := json.Marshal(in)
	if err != nil {
		return out, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://kontor"+path, bytes.NewReader(body))
	if err != nil {
		return out, err
	}
	res, err := r.client.Do(req)
	if err != nil {
		return out, fmt.Errorf("the running Kontor doesn't answer: %w", err)
	}
	defer res.Body.Close()
	d := json.NewDecoder(res.Body)
	if res.StatusCode != http.StatusOK {
		refused := &model.Error{Code: model.CodeInternal, Message: "the running Kontor answered " + res.Status}
		_ = d.Decode(refused) // an older one may say nothing
		return out, refused
	}
	return out, d.Decode(&out)
}
