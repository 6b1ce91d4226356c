package wire

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

func TestOneWrongByteOfAServerSpoilsNoAnswer(t *testing.T) {
	t.Parallel()
	raw := json.RawMessage("{\"k\xff\":\"\xc0\xaf <\"}")
	var b bytes.Buffer
	if err := Encode(&b, map[string]any{"schema": raw}); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "{\"schema\":{\"k\uFFFD\":\"\uFFFD <\"}}\n"; got != want {
		t.Errorf("Encode = %q, want %q", got, want)
	}
	call := model.Call{Arguments: raw, Result: model.Result{Structured: raw, Content: []model.Content{{Kind: "unknown", Raw: raw}}}, State: model.CallDone}
	for name, text := range map[string][]byte{"a call": AppendCall(nil, call), "an event": AppendCallEvent(nil, call)} {
		if !utf8.Valid(text) || !json.Valid(text) {
			t.Errorf("%s: %q", name, text)
		}
	}
}

func TestCleanLeavesUTF8Alone(t *testing.T) {
	t.Parallel()
	text := []byte(`{"a":"ü🙂"}`)
	if got := Clean(text); &got[0] != &text[0] {
		t.Error("it was copied")
	}
}
