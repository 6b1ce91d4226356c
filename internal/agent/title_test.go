package agent

import (
	"strings"
	"testing"
)

func TestTitleOf(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"Rain in Oslo":                 "Rain in Oslo",
		"\n# **Rain** in `Oslo`\n":     "Rain in Oslo",
		"\"Rain in Oslo\"":             "Rain in Oslo",
		"Rain in Oslo\n\n| a |\n|---|": "Rain in Oslo",
		"奥斯陆的雨":                        "奥斯陆的雨",
		"":                             "",
		"I can do that for you, of course: which of the three days do you mean by that?": "",
	} {
		if got := titleOf(answer); got != want {
			t.Errorf("%q: got %q, want %q", answer, got, want)
		}
	}
	if got := titleOf(strings.Repeat("é", 500)); len(got) > maxTitle {
		t.Errorf("got %d bytes", len(got))
	}
}
