package kit

import (
	"errors"
	"testing"
)

func TestRewriteEventReplacesJustTheCarrier(t *testing.T) {
	t.Parallel()
	const carrier = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"_meta":{"kontor.dev/event":{"method":"event/x","params":{"n":9007199254740993}}},"progressToken":"t","progress":0}}`
	const result = `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"about \"kontor.dev/event\""}]}}`
	for _, tt := range []struct{ name, in, want string }{
		{
			"a push",
			"event: message\ndata: " + carrier + "\n\n",
			"event: message\ndata: " + `{"jsonrpc":"2.0","method":"event/x","params":{"n":9007199254740993}}` + "\n\n",
		},
		{"a result that names the key", "event: message\ndata: " + result + "\n\n", ""},
		{"a comment", ": ping\n\n", ""},
		{"a JSON body", result, ""},
		{"nothing", "", ""},
	} {
		if tt.want == "" {
			tt.want = tt.in
		}
		got, err := rewriteEvent([]byte(tt.in))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
	// Better an error than a carrier on the wire.
	if got, err := rewriteEvent([]byte("data: " + carrier[:120])); !errors.Is(err, errSplitEvent) {
		t.Errorf("half a push: got %q, %v, want %v", got, err, errSplitEvent)
	}
}
