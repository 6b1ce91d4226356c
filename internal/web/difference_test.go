package web

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestADifferenceShowsWhatIsAnother(t *testing.T) {
	t.Parallel()
	lines := func(s string) []string {
		if s == "" {
			return nil
		}
		return strings.Split(s, "")
	}
	for _, tc := range []struct{ before, after, want string }{
		{"abc", "abc", " a b c"},
		{"abc", "abd", " a b−c+d"},
		{"abc", "", "−a−b−c"},
		{"", "abc", "+a+b+c"},
		{"abcd", "acxd", " a−b c+x d"},
		{"123456789", "12345678x", "…6 lines the same 7 8−9+x"},
		{"x23456789", "y2345678z", "−x+y 2 3…3 lines the same 7 8−9+z"},
	} {
		got := ""
		for _, l := range folded(difference(lines(tc.before), lines(tc.after))) {
			got += l.Mark + l.Text
		}
		if tc.before == tc.after {
			tc.want = "…3 lines the same"
		}
		if got != tc.want {
			t.Errorf("%s to %s: %q, want %q", tc.before, tc.after, got, tc.want)
		}
	}
	long := make([]string, 2000)
	if n := len(difference(long, append([]string{"x"}, long...))); n != 4001 {
		t.Errorf("a long one has %d lines", n)
	}
}

func TestTheChangesOfADefinition(t *testing.T) {
	t.Parallel()
	old := json.RawMessage(`{"description":"a","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`)
	now := json.RawMessage(`{"title":"T","description":"a","inputSchema":{ "type" : "object" }}`)
	var got []string
	for _, c := range changes(old, now) {
		got = append(got, c.Title)
	}
	if strings.Join(got, " ") != "title hints" {
		t.Errorf("changed: %q", got)
	}
}
