package wire

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestBuildersWriteWhatParseReads(t *testing.T) {
	t.Parallel()
	long := raw(`{"text":"` + strings.Repeat("x", 4000) + `"}`)
	tests := map[string]struct {
		built Message
		want  string
	}{
		"request":           {NewRequest(7, "tools/call", raw(`{ "b":1e400, "a":"<&>" }`)), `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{ "b":1e400, "a":"<&>" }}`},
		"without params":    {NewRequest(-1, "ping", nil), `{"jsonrpc":"2.0","id":-1,"method":"ping"}`},
		"long params":       {NewRequest(1, "x", long), `{"jsonrpc":"2.0","id":1,"method":"x","params":` + string(long) + `}`},
		"notification":      {NewNotification("notifications/initialized", nil), `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
		"odd method":        {NewNotification("a\"b\n<ü>", raw(`{}`)), `{"jsonrpc":"2.0","method":"a\"b\n<ü>","params":{}}`},
		"result":            {NewResult(raw(`"id-1"`), raw(`{"x":1}`)), `{"jsonrpc":"2.0","id":"id-1","result":{"x":1}}`},
		"empty result":      {NewResult(raw(`5`), nil), `{"jsonrpc":"2.0","id":5,"result":{}}`},
		"error":             {NewErrorResponse(raw(`1.0`), &Error{Code: -32601, Message: `no "x"`}), `{"jsonrpc":"2.0","id":1.0,"error":{"code":-32601,"message":"no \"x\""}}`},
		"error with data":   {NewErrorResponse(raw(`1`), &Error{Code: 1, Message: "m", Data: raw(`{"n":1e400}`)}), `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m","data":{"n":1e400}}}`},
		"error to nobody":   {NewErrorResponse(nil, &Error{Message: "m"}), `{"jsonrpc":"2.0","id":null,"error":{"code":0,"message":"m"}}`},
		"broken characters": {NewErrorResponse(raw(`1`), &Error{Message: strings.Repeat("\xff\x01", 200)}), `{"jsonrpc":"2.0","id":1,"error":{"code":0,"message":"` + strings.Repeat("\uFFFD"+`\u0001`, 200) + `"}}`},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			if string(test.built.Raw) != test.want {
				t.Errorf("want %s\n got %s", test.want, test.built.Raw)
			}
			parsed, err := Parse(test.built.Raw)
			if err != nil {
				t.Fatal(err)
			}
			equalMessages(t, parsed, test.built)
		})
	}
}

func TestErrReadsWhatItCan(t *testing.T) {
	t.Parallel()
	tests := map[string]*Error{
		`{"id":1,"result":{}}`:                                       nil,
		`{"id":1,"result":{},"error":null}`:                          nil,
		`{"id":1,"error":{"code":-32042,"message":"go","data":[1]}}`: {Code: -32042, Message: "go", Data: raw(`[1]`)},
		`{"id":1,"error":{"code":"E1","message":"caf\u00e9"}}`:       {Message: "café"},
		`{"id":1,"error":{"code":"E1","message":7}}`:                 {Message: `{"code":"E1","message":7}`},
		`{"id":1,"error":"boom"}`:                                    {Code: CodeInternalError, Message: "boom"},
		`{"id":1,"error":17}`:                                        {Code: CodeInternalError, Message: "17"},
	}
	for in, want := range tests {
		m, err := Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		wantJSON, _ := json.Marshal(want)
		gotJSON, _ := json.Marshal(m.Err())
		if string(wantJSON) != string(gotJSON) {
			t.Errorf("%s: want %s, got %s", in, wantJSON, gotJSON)
		}
	}
}

func TestSameIDComparesBytes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want bool
	}{{"1", "1", true}, {" 1", "1\n", true}, {"1", "1.0", false}, {"1", `"1"`, false}, {`"a"`, `"\u0061"`, false}, {"null", "", false}} {
		if got := SameID(raw(test.a), raw(test.b)); got != test.want {
			t.Errorf("%s and %s: want %t, got %t", test.a, test.b, test.want, got)
		}
	}
}
