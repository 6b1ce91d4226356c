package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// settings are what the person would type in for a scenario.
func settings(scenario string, told scenarioContext) map[string]any {
	switch scenario {
	case "auth/basic-cimd":
		return map[string]any{"client_metadata_url": "https://conformance-test.local/client-metadata.json"}
	case "auth/pre-registration":
		return map[string]any{"client_id": told.ClientID, "client_secret": told.ClientSecret}
	case "auth/client-credentials-basic":
		return map[string]any{"grant": "client_credentials", "client_id": told.ClientID, "client_secret": told.ClientSecret}
	case "auth/client-credentials-jwt":
		return map[string]any{"grant": "client_credentials", "client_id": told.ClientID, "private_key": told.PrivateKey,
			"token_endpoint_auth_method": "private_key_jwt"}
	case "auth/enterprise-managed-authorization":
		return map[string]any{"grant": "enterprise", "client_id": told.ClientID, "client_secret": told.ClientSecret,
			"idp_client_id": told.IDPClientID, "idp_id_token": told.IDPIDToken, "idp_token_endpoint": told.IDPTokenEndpoint}
	case "auth/wif-jwt-bearer":
		return map[string]any{"grant": "workload_identity", "client_id": told.ClientID, "assertion": told.ValidJWT}
	case "auth/dpop", "auth/dpop-nonce":
		return map[string]any{"dpop": true}
	}
	return nil
}

// refusals are the scenarios in which a client must go no further, with a word of the
// reason that Kontor has to give.
func refusals() map[string]string {
	return map[string]string{
		"auth/resource-mismatch":        "resource",
		"auth/iss-supported-missing":    "iss",
		"auth/iss-wrong-issuer":         "iss",
		"auth/iss-unexpected":           "iss",
		"auth/iss-normalized":           "iss",
		"auth/metadata-issuer-mismatch": "issuer",
		"auth/scope-retry-limit":        "three times",
	}
}

// signIn takes the browser's way: to the authorization server, which asks nobody, and
// back with its answer.
func (s server) signIn(ctx context.Context) error {
	var begun struct {
		URL string `json:"authorization_url"`
	}
	if err := s.post(ctx, "/api/servers/"+s.name+"/sign-in", struct{}{}, &begun); err != nil {
		return err
	}
	answer, err := visit(ctx, begun.URL)
	if err != nil {
		return err
	}
	back := answer.Header.Get("Location")
	if !strings.HasPrefix(back, s.base+"/oauth/callback?") {
		return fmt.Errorf("the authorization server answers %s and leads to %q", answer.Status, back)
	}
	if answer, err = visit(ctx, back); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		page, err := io.ReadAll(answer.Body)
		return fmt.Errorf("the callback answers %s: %s %w", answer.Status, page, err)
	}
	return nil
}

// visit gets a page as a browser does that has no cookies, and follows no redirect.
func visit(ctx context.Context, address string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/html")
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	answer.Body = io.NopCloser(strings.NewReader(string(page)))
	return answer, err
}

// signsIn signs in as often as it is asked to, until ctx ends or it is refused.
func (s server) signsIn(ctx context.Context) error {
	done := map[string]bool{}
	for ctx.Err() == nil {
		var inbox struct {
			SignIns []struct{ ID, Server string } `json:"sign_ins"`
		}
		if err := s.get(ctx, "/api/inbox", &inbox); err != nil {
			return err
		}
		for _, item := range inbox.SignIns {
			if item.Server != s.name || done[item.ID] {
				continue // another driver's, or on its way out of the inbox
			}
			done[item.ID] = true
			if err := s.signIn(ctx); err != nil {
				return err
			}
		}
		_ = pause(ctx) // the loop's condition
	}
	return ctx.Err()
}

// refused takes an error for the right end of a scenario when it names the reason.
func refused(err error, word string) error {
	if err == nil {
		return fmt.Errorf("nothing was refused, want a reason with %q", word)
	}
	if text, _ := json.Marshal(err.Error()); !strings.Contains(string(text), word) {
		return fmt.Errorf("%w; want a reason with %q", err, word)
	}
	return nil
}
