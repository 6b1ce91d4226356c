package calls

import (
	"encoding/json"
	"testing"
)

func TestANameThatIsThereTwiceIsFound(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`{}`:                                     "",
		`{"a":1,"b":{"a":2,"c":["a","a"]}}`:      "",
		`{"a":"b","b":"a","c":"a"}`:              "",
		`{"list":[{"a":1},{"a":2}],"a":[[],{}]}`: "",
		`{"a":1e400,"a":2}`:                      "a",
		`{"a":"x","b":{"c":{},"d":[],"c":null}}`: "c",
		`{"x":[1,{"path":"/a","p\u0061th":""}]}`: "path",
		`{"":0,"":0}`:                            "",
	} {
		name, twice := namedTwice(json.RawMessage(raw))
		if name != want || twice != (want != "" || raw == `{"":0,"":0}`) {
			t.Errorf("%s: got %q, %v", raw, name, twice)
		}
	}
}
