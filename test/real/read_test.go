//go:build real

package real

import (
	"encoding/json"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func readResource(t *testing.T, k *kontor.Kontor, server, uri string) []kontor.Content {
	t.Helper()
	var got struct{ Contents []kontor.Content }
	k.Post("/api/resources/read", map[string]string{"server": server, "uri": uri}, &got)
	return got.Contents
}

type promptMessage struct {
	Role    string
	Content kontor.Content
}

func getPrompt(t *testing.T, k *kontor.Kontor, body map[string]any) []promptMessage {
	t.Helper()
	var got struct{ Messages []promptMessage }
	k.Post("/api/prompts/get", body, &got)
	return got.Messages
}

func complete(t *testing.T, k *kontor.Kontor, body string) []string {
	t.Helper()
	var got struct{ Values []string }
	k.Post("/api/complete", json.RawMessage(body), &got)
	return got.Values
}
