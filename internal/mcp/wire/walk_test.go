package wire

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestMembersVisitsInOrderAsWritten(t *testing.T) {
	t.Parallel()
	var got []string
	ok := Members(json.RawMessage(` {"a": 1e400, "b\u0063" :{"x":[ ]},"a":null} `), func(name string, value json.RawMessage) {
		got = append(got, name+"="+string(value))
	})
	if want := []string{"a=1e400", `bc={"x":[ ]}`, "a=null"}; !ok || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, ok, want)
	}
}

func TestElementsVisitsInOrderAsWritten(t *testing.T) {
	t.Parallel()
	var got []string
	ok := Elements(json.RawMessage(` [1, "a" ,[2]] `), func(value json.RawMessage) { got = append(got, string(value)) })
	if want := []string{"1", `"a"`, "[2]"}; !ok || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, ok, want)
	}
}

func TestWalksRefuseOtherShapes(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"", "null", "1", `"a"`, "[1", `{"a":}`, "[] x", "{} {}"} {
		if Members(json.RawMessage(raw), func(string, json.RawMessage) {}) {
			t.Errorf("Members takes %q", raw)
		}
		if Elements(json.RawMessage(raw), func(json.RawMessage) {}) {
			t.Errorf("Elements takes %q", raw)
		}
	}
}
