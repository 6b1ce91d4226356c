package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseFindsTheEnvelopeAndKeepsEveryByte(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		in   string
		kind Kind
		want Message
	}{
		"request": {
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"n":9007199254740993,"e":1e400}}`, Request,
			Message{ID: raw(`1`), Method: "tools/call", Params: raw(`{"n":9007199254740993,"e":1e400}`)},
		},
		"notification": {`{"method":"event/new_email"}`, Notification, Message{Method: "event/new_email"}},
		"result":       {`{"result": {"b":1,"a":2} ,"jsonrpc":"2.0","id":"x y"}`, Response, Message{ID: raw(`"x y"`), Result: raw(`{"b":1,"a":2}`)}},
		"null result":  {`{"id":3,"result":null}`, Response, Message{ID: raw(`3`), Result: raw(`null`)}},
		"error":        {`{"id":null,"error":{"code":-32700,"message":"?"}}`, Response, Message{ID: raw(`null`), Error: raw(`{"code":-32700,"message":"?"}`)}},
		"white space":  {" \t\r\n{ \"id\" : 1.0 ,\n\"result\" : [ ] } \r", Response, Message{ID: raw(`1.0`), Result: raw(`[ ]`)}},
		"only the top level counts": {
			`{"result":{"id":2,"method":"x","error":{}},"id":1}`, Response,
			Message{ID: raw(`1`), Result: raw(`{"id":2,"method":"x","error":{}}`)},
		},
		"last of several":        {`{"id":1,"result":{"a":1},"id":2,"result":{"b":2}}`, Response, Message{ID: raw(`2`), Result: raw(`{"b":2}`)}},
		"escaped key and method": {`{"\u0069d":1,"method":"a\u002fb\n"}`, Request, Message{ID: raw(`1`), Method: "a/b\n"}},
		"names differ by case":   {`{"ID":1,"Method":"x"}`, Invalid, Message{}},
		"brackets in strings":    {`{"id":1,"result":"}]\\\"{"}`, Response, Message{ID: raw(`1`), Result: raw(`"}]\\\"{"`)}},
		"invalid UTF-8 stays":    {"{\"id\":1,\"result\":\"\xff\xc3\"}", Response, Message{ID: raw(`1`), Result: raw("\"\xff\xc3\"")}},
		"method that is no text": {`{"id":1,"method":5}`, Invalid, Message{ID: raw(`1`)}},
		"empty object":           {`{}`, Invalid, Message{}},
		"a log line as JSON":     {`{"level":"info","msg":"up"}`, Invalid, Message{}},
		"a number":               {`12`, Invalid, Message{}},
		"a batch is none":        {`[{"id":1,"result":{}}]`, Invalid, Message{}},
	}
	for label, test := range tests {
		t.Run(label, func(t *testing.T) {
			t.Parallel()
			got, err := Parse([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			if got.Kind() != test.kind {
				t.Errorf("kind: want %v, got %v", test.kind, got.Kind())
			}
			if want := strings.Trim(test.in, " \t\r\n"); string(got.Raw) != want {
				t.Errorf("raw: want %q, got %q", want, got.Raw)
			}
			got.Raw = nil
			equalMessages(t, test.want, got)
		})
	}
}

func TestParseRefusesWhatIsNotJSON(t *testing.T) {
	t.Parallel()
	for _, in := range notJSON {
		if json.Valid([]byte(in)) {
			t.Errorf("%q is JSON after all", in)
		}
		if m, err := Parse([]byte(in)); err == nil {
			t.Errorf("%q: want an error, got %+v", in, m)
		}
	}
}

var notJSON = []string{
	"", " ", "Server 1.2 starting…", "{", "}", "{}{}", "{} x", "[1,]", "[,1]", `{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{1:1}`,
	`{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":+1}`, `{"a":.5}`, `{"a":1e}`, `{"a":1e+}`, `{"a":tru}`, `{"a":nul`, `{"a":TRUE}`,
	`"`, `"\`, `"\x"`, `"\u12g4"`, `"\u12`, "\"a\tb\"", "\"line\nbreak\"", "\"\x00\"", "\x00", "\ufeff{}",
	`{"jsonrpc":"2.0","id":1,"resu`, `[}`, `{]`, `[1}`, `{"a":1]`, `debug: {"id":1}`,
}

func TestParseStopsAtTheDepthOfEncodingJSON(t *testing.T) {
	t.Parallel()
	nested := func(depth int) []byte {
		return []byte(strings.Repeat(`[{"a":`, depth/2) + `1` + strings.Repeat(`}]`, depth/2))
	}
	for _, depth := range []int{2, 64, 66, 9_998, 10_000, 10_002, 2_000_000} {
		for label, in := range map[string][]byte{
			"nested":       nested(depth),
			"in a message": append(append([]byte(`{"result":`), nested(depth)...), '}'),
		} {
			_, err := Parse(in)
			if want, got := json.Valid(in), err == nil; want != got {
				t.Errorf("%s %d: want accepted %t, got %t", label, depth, want, got)
			}
		}
	}
}

func TestParseAllTakesBatchesApart(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		`{"id":1,"result":{}}`:                          {`{"id":1,"result":{}}`},
		` [ {"id":1,"result":{}} , {"method":"a"},7 ] `: {`{"id":1,"result":{}}`, `{"method":"a"}`, `7`},
		`[[]]`: {`[]`},
		`[]`:   {},
	}
	for in, want := range tests {
		got, err := ParseAll([]byte(in))
		if err != nil || len(got) != len(want) {
			t.Errorf("%s: want %d messages, got %d, %v", in, len(want), len(got), err)
			continue
		}
		for i := range want {
			if string(got[i].Raw) != want[i] {
				t.Errorf("%s: want %s, got %s", in, want[i], got[i].Raw)
			}
		}
	}
	for _, in := range append([]string{"[{}", "[{}] {}", "[{},]", "[{}}"}, notJSON...) {
		if _, err := ParseAll([]byte(in)); err == nil {
			t.Errorf("%q: want an error", in)
		}
	}
}

func TestMember(t *testing.T) {
	t.Parallel()
	const object = ` {"a":{"resultType":"no"},"resultType": "input_required" ,"b":[1,2],"x":1,"x":2}`
	tests := []struct{ raw, member, want string }{
		{object, "resultType", `"input_required"`},
		{object, "b", `[1,2]`},
		{object, "x", `2`},
		{object, "c", ``},
		{`[1]`, "a", ``},
		{``, "a", ``},
		{`{"a":1`, "a", ``},
	}
	for _, test := range tests {
		if got := Member(raw(test.raw), test.member); string(got) != test.want {
			t.Errorf("%s of %s: want %s, got %s", test.member, test.raw, test.want, got)
		}
	}
}

func TestParseOfASmallMessageAllocatesOnce(t *testing.T) {
	in := []byte(`{"jsonrpc":"2.0","id":12,"method":"notifications/progress","params":{"progress":1}}`)
	got := testing.AllocsPerRun(100, func() {
		if _, err := Parse(in); err != nil {
			t.Fatal(err)
		}
	})
	if got > 1 { // the method's name
		t.Errorf("want 1 allocation, got %v", got)
	}
}

func FuzzParse(f *testing.F) {
	for _, in := range notJSON {
		f.Add([]byte(in))
	}
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":[1,-2.5e+10,true,false,null,"\ud83d\udd11"]}}`))
	f.Add([]byte(` {"\u0069d":"1","result":"` + strings.Repeat("0123456789abcdef", 5) + `\"` + `"} `))
	f.Add([]byte(`[{"id":1,"error":{"code":1,"message":"x"}},{}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := Parse(in)
		if valid := json.Valid(in); valid != (err == nil) {
			t.Fatalf("json.Valid says %t, Parse %v", valid, err)
		}
		if _, all := ParseAll(in); (all == nil) != (err == nil) {
			t.Fatalf("Parse says %v, ParseAll %v", err, all)
		}
		if err != nil {
			return
		}
		if want := bytes.Trim(in, " \t\r\n"); !bytes.Equal(got.Raw, want) {
			t.Fatalf("raw: want %q, got %q", want, got.Raw)
		}
		var want map[string]json.RawMessage
		if !utf8.Valid(in) || json.Unmarshal(in, &want) != nil {
			return // keys are compared decoded there, as bytes here
		}
		equalMessages(t, Message{
			ID: want["id"], Method: got.Method, Params: want["params"], Result: want["result"], Error: want["error"],
		}, Message{ID: got.ID, Method: got.Method, Params: got.Params, Result: got.Result, Error: got.Error})
		var method string
		_ = json.Unmarshal(want["method"], &method)
		if method != got.Method {
			t.Fatalf("method: want %q, got %q", method, got.Method)
		}
		for key, value := range want {
			if found := Member(in, key); !bytes.Equal(found, value) {
				t.Fatalf("member %q: want %s, got %s", key, value, found)
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	line := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 1<<20/45)
	quoted := strings.Repeat(`{\"name\":\"value\",\n\"n\":12345},`, 1<<20/34)
	rows := strings.Repeat(`{"name":"value","n":12345,"ok":true},`, 1<<20/37) + `{}`
	for label, in := range map[string]string{
		"small":          `{"jsonrpc":"2.0","id":17,"result":{"content":[{"type":"text","text":"hello"}],"isError":false}}`,
		"1MiB_text":      `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + line + `"}]}}`,
		"1MiB_escapes":   `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + quoted + `"}]}}`,
		"1MiB_structure": `{"jsonrpc":"2.0","id":1,"result":{"structuredContent":[` + rows + `]}}`,
	} {
		b.Run(label, func(b *testing.B) {
			data := []byte(in)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }

func equalMessages(t *testing.T, want, got Message) {
	t.Helper()
	if want.Method != got.Method {
		t.Errorf("method: want %q, got %q", want.Method, got.Method)
	}
	for _, member := range []struct {
		name      string
		want, got json.RawMessage
	}{
		{"id", want.ID, got.ID}, {"params", want.Params, got.Params},
		{"result", want.Result, got.Result}, {"error", want.Error, got.Error},
	} {
		if !bytes.Equal(member.want, member.got) || (member.want == nil) != (member.got == nil) {
			t.Errorf("%s: want %s, got %s", member.name, member.want, member.got)
		}
	}
}
