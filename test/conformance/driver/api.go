package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// api is Kontor's REST API, seen by one token.
type api struct{ base, token string }

// get reads a path into out.
func (a api) get(ctx context.Context, path string, out any) error {
	return a.do(ctx, http.MethodGet, path, nil, out)
}

// post sends in to a path and reads the answer into out, which may be nil.
func (a api) post(ctx context.Context, path string, in, out any) error {
	return a.do(ctx, http.MethodPost, path, in, out)
}

func (a api) do(ctx context.Context, method, path string, in, out any) error {
	var body bytes.Buffer
	if in != nil {
		// Escaping would change arguments that must arrive as they are.
		enc := json.NewEncoder(&body)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(in); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, &body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	read, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if res.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s: HTTP %d: %s", method, path, res.StatusCode, read)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(read, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// of is a path with the server as the query.
func of(path, server string) string { return path + "?server=" + url.QueryEscape(server) }
