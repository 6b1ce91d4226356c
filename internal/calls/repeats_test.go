package calls

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

func TestRepeated(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`{}`:                                false,
		`{"a":1,"b":{"a":1},"c":[{"a":1}]}`: false,
		`{"a":"a","b":"a"}`:                 false,
		`{"a":"b","b":"b"}`:                 false,
		`{"a":["a","a"]}`:                   false,
		`{"a":{},"b":[],"c":[[],{}]}`:       false,
		`{"a":1,"A":2}`:                     false,
		`{"a":1,"a":1}`:                     true,
		`{"a":{"x":1},"a":[]}`:              true,
		`{"a":[1,{"b":1,"c":{},"b":2}]}`:    true,
		`{"path":1,"p\u0061th":2}`:          true,
		`{"":1,"":2}`:                       true,
		`[[{"a":1},{"a":1}]]`:               false,
		strings.Repeat("[", 9000) + `{"a":1,"a":1}` + strings.Repeat("]", 9000): true,
	} {
		if _, got := repeated(json.RawMessage(raw)); got != want {
			t.Errorf("%.80s: got %v", raw, got)
		}
	}
}

// What a person reads of arguments that name something twice isn't what every server
// reads: only they themselves may send such.
func TestArgumentsThatNameSomethingTwiceAreNobodyElses(t *testing.T) {
	t.Parallel()
	r := newRig(t, answering(func(context.Context, client.ToolCall) (json.RawMessage, error) {
		return json.RawMessage(text), nil
	}))
	request := Request{Name: "mcp__s__run", Arguments: json.RawMessage(`{"path":"/etc/shadow","path":"/tmp/a"}`)}
	for kind, want := range map[string]model.Code{"agent": model.CodeInvalid, "gateway": model.CodeInvalid, "": model.CodeInvalid, "person": "", "token": ""} {
		request.Asker.Kind = kind
		call, err := r.Run(context.Background(), request)
		if want == "" && (err != nil || call.State != model.CallDone) || want != "" && (model.CodeOf(err) != want || err == nil) {
			t.Errorf("%q: %+v, %v", kind, call, err)
		}
	}
	if len(r.store.rows) != 2 {
		t.Errorf("%d rows, want the person's two", len(r.store.rows))
	}
}
