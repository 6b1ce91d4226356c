package model

import (
	"strings"
	"testing"
)

func TestClaims(t *testing.T) {
	for _, c := range []struct {
		annotations string
		trusted     bool
		want        string
	}{
		{``, false, "silent: doesn’t say what it does"},
		{`null`, true, "silent: doesn’t say what it does"},
		{`["odd"]`, false, "silent: doesn’t say what it does"},
		{`{"destructiveHint":true}`, true, "destroys: may destroy"},
		{`{"readOnlyHint":true}`, false, "reads: says it only reads"},
		{`{"readOnlyHint":true}`, true, "reads: only reads"},
		{`{"readOnlyHint":true,"destructiveHint":false}`, true, "reads: only reads"},
		{`{"readOnlyHint":true,"destructiveHint":true}`, true, "reads: only reads, destroys: may destroy"},
		{`{"destructiveHint":false}`, false, "spares: says it destroys nothing"},
		{`{"destructiveHint":false,"idempotentHint":true}`, true, "spares: destroys nothing, repeatable: safe to repeat"},
		{`{"idempotentHint":true,"openWorldHint":true}`, false, "silent: doesn’t say what it does, repeatable: says it is safe to repeat, outside: reaches outside"},
	} {
		var got []string
		for _, claim := range Claims([]byte(c.annotations), c.trusted) {
			got = append(got, string(claim.Kind)+": "+claim.Words)
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s, trusted %v: got %q, want %q", c.annotations, c.trusted, strings.Join(got, ", "), c.want)
		}
	}
}
