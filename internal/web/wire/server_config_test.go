package wire_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

func stored() model.Server {
	return model.Server{
		Name: "s", Transport: model.TransportHTTP, URL: "https://s.example/mcp", Enabled: true,
		Headers: map[string]model.Value{
			"X-Key":    {Text: "hidden"},
			"X-Ref":    {Text: "${REF}"},
			"X-Public": {Text: "seen", Plain: true},
		},
		BearerToken: model.Value{Text: "bearer-secret"},
	}
}

func TestWhatAWriteDoesToSecrets(t *testing.T) {
	t.Parallel()
	all := stored().Headers
	cases := []struct {
		name, sent string
		headers    map[string]model.Value
		bearer     string
	}{
		{"left out: secrets stay, what could be read goes", `{}`,
			map[string]model.Value{"X-Key": all["X-Key"]}, "bearer-secret"},
		{"set true keeps", `{"headers":{"X-Key":{"set":true}},"bearer_token":{"set":true}}`,
			map[string]model.Value{"X-Key": all["X-Key"]}, "bearer-secret"},
		{"null clears", `{"headers":{"X-Key":null},"bearer_token":null}`, nil, ""},
		{"a string sets", `{"headers":{"X-Key":"new"},"bearer_token":"other"}`,
			map[string]model.Value{"X-Key": {Text: "new"}}, "other"},
		{"what was read can be written back", `{"headers":{"X-Key":{"set":true},"X-Ref":"${REF}","X-Public":{"value":"seen","plain":true}}}`,
			all, "bearer-secret"},
		{"set true for one that isn't there is nothing", `{"headers":{"X-New":{"set":true},"X-Key":{"set":true}}}`,
			map[string]model.Value{"X-Key": all["X-Key"]}, "bearer-secret"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sent wire.ServerConfig
			if err := json.Unmarshal([]byte(c.sent), &sent); err != nil {
				t.Fatal(err)
			}
			sent.URL = "https://s.example/mcp"
			got, err := sent.Model(stored())
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got.Headers, c.headers) {
				t.Errorf("headers: got %v, want %v", got.Headers, c.headers)
			}
			if got.BearerToken.Text != c.bearer {
				t.Errorf("bearer token: got %q, want %q", got.BearerToken.Text, c.bearer)
			}
		})
	}
}

func TestAnotherTransportTakesNothingAlong(t *testing.T) {
	t.Parallel()
	got, err := wire.ServerConfig{Command: "prog"}.Model(stored())
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Validate(); err != nil {
		t.Errorf("the new configuration is refused: %v", err)
	}
}

// Pages that don't know these settings mustn't undo them.
func TestLimitsOfTheConnectionAreKeptWhenLeftOut(t *testing.T) {
	t.Parallel()
	old := stored()
	old.MaxMessage, old.SSEIdleTimeout = 1<<20, time.Minute
	old.Reconnect = model.Reconnect{Initial: time.Second, MaxAttempts: 5}
	for sent, want := range map[string]string{
		`{}`: `1048576 1m0s {1s 0s 5}`,
		`{"max_message_bytes":0,"sse_idle_timeout_ms":2000,"reconnect":{"max_ms":9000}}`: `0 2s {0s 9s 0}`,
	} {
		var c wire.ServerConfig
		if err := json.Unmarshal([]byte(sent), &c); err != nil {
			t.Fatal(err)
		}
		c.URL = old.URL
		s, err := c.Model(old)
		if got := fmt.Sprint(s.MaxMessage, s.SSEIdleTimeout, s.Reconnect); got != want || err != nil {
			t.Errorf("%s: %s, want %s, %v", sent, got, want, err)
		}
	}
	read, err := json.Marshal(wire.ServerOf(old, model.Status{}))
	if want := `"max_message_bytes":1048576,"sse_idle_timeout_ms":60000,"reconnect":{"initial_ms":1000,"max_ms":30000,"max_attempts":5}`; err != nil || !strings.Contains(string(read), want) {
		t.Errorf("no %s in %s", want, read)
	}
}

func TestImagesAreSharedUntilThePersonSaysNo(t *testing.T) {
	t.Parallel()
	on, off := stored(), stored()
	on.ShareImages = true
	for _, c := range []struct {
		old  model.Server
		sent string
		want bool
	}{
		{model.Server{Name: "new"}, `{}`, true}, {model.Server{Name: "new"}, `{"share_images":false}`, false},
		{on, `{}`, true}, {on, `{"share_images":false}`, false}, {off, `{}`, false}, {off, `{"share_images":true}`, true},
	} {
		config := wire.ServerConfig{URL: "https://mcp.example.com"}
		if err := json.Unmarshal([]byte(c.sent), &config); err != nil {
			t.Fatal(err)
		}
		if got, err := config.Model(c.old); err != nil || got.ShareImages != c.want {
			t.Errorf("%s on %t: got %t, %v, want %t", c.sent, c.old.ShareImages, got.ShareImages, err, c.want)
		}
	}
}

func TestReadsMaskSecrets(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(wire.ServerOf(stored(), model.Status{}))
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"hidden", "bearer-secret"} {
		if strings.Contains(string(text), secret) {
			t.Errorf("%q is in %s", secret, text)
		}
	}
	for _, want := range []string{`"X-Key":{"set":true}`, `"X-Ref":"${REF}"`, `"X-Public":{"value":"seen","plain":true}`, `"bearer_token":{"set":true}`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
}

func TestAWrongValueIsNotRepeated(t *testing.T) {
	t.Parallel()
	var c wire.ServerConfig
	err := json.Unmarshal([]byte(`{"headers":{"X":{"valeu":"s3cret"}}}`), &c)
	if err == nil || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("got %v, want an error without the value", err)
	}
}
