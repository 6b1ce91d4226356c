package oauth

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

func TestAMetadataDocumentIsTheClientWhereItIsTaken(t *testing.T) {
	t.Parallel()
	const theirs = "https://conformance-test.local/client-metadata.json"
	r := newRig(t)
	r.issuer.set(func() {
		r.issuer.alter = func(m map[string]any) { m["client_id_metadata_document_supported"] = true }
		for _, id := range []string{theirs, "https://kontor.example/oauth/client-metadata.json"} {
			r.issuer.clients[id] = map[string]any{"token_endpoint_auth_method": "none", "client_secret": ""}
		}
	})
	r.signIn(r.docs(func(o *model.OAuth) { o.ClientMetadataURL = theirs }))
	if got := r.asked().Get("client_id"); got != theirs {
		t.Errorf("client_id = %s", got)
	}
	r.base = "https://kontor.example"
	r.signIn(r.docs())
	if got := r.asked().Get("client_id"); got != "https://kontor.example/oauth/client-metadata.json" {
		t.Errorf("client_id = %s", got)
	}
	if len(r.issuer.bodies) != 0 {
		t.Error("there was a registration")
	}
	for _, base := range []string{"http://127.0.0.1:8787", "https://localhost", "https://192.168.1.2", "https://nas"} {
		r.base = base
		if id := mustQuery(t, r.start(r.docs()).URL).Get("client_id"); !strings.HasPrefix(id, "client-") {
			t.Errorf("at %s, which nobody reaches, client_id = %s", base, id)
		}
	}
}

func TestTheMetadataDocumentIsAboutItsOwnAddress(t *testing.T) {
	t.Parallel()
	var doc map[string]any
	if err := json.Unmarshal(ClientMetadata("https://kontor.example/"), &doc); err != nil {
		t.Fatal(err)
	}
	if doc["client_id"] != "https://kontor.example/oauth/client-metadata.json" || doc["client_name"] != "Kontor" ||
		!slices.Equal(doc["redirect_uris"].([]any), []any{"https://kontor.example/oauth/callback"}) || doc["token_endpoint_auth_method"] != "none" {
		t.Errorf("%v", doc)
	}
}
