package paste

import (
	"slices"
	"testing"
)

func TestWhatIsNoTextStaysAsItWasWritten(t *testing.T) {
	t.Parallel()
	r, err := Text(`{"mcpServers":{"x":{"command":"c","args":[1,true,null,{"a":1.50},["b"]],"env":{"E":[1]}}}}`)
	if err != nil || len(r.Servers) != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	if got, want := r.Servers[0].Args, []string{"1", "true", "null", `{"a":1.50}`, `["b"]`}; !slices.Equal(got, want) {
		t.Errorf("arguments %q, want %q", got, want)
	}
	if got := r.Servers[0].Env["E"].Text; got != "[1]" {
		t.Errorf("E is %q", got)
	}
}
