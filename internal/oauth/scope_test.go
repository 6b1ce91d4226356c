package oauth

import (
	"slices"
	"testing"
)

func TestScopes(t *testing.T) {
	t.Parallel()
	one := func(s ...string) []string { return s }
	for name, c := range map[string]struct {
		from scopeSources
		want []string
	}{
		"nothing is known":              {scopeSources{}, nil},
		"the server's":                  {scopeSources{Site: one("a", "b")}, one("a", "b")},
		"the challenge's first":         {scopeSources{Challenge: one("c"), Site: one("a", "b")}, one("c")},
		"the challenge and before":      {scopeSources{Challenge: one("c"), Before: one("b", "c"), Site: one("a")}, one("b", "c")},
		"before alone counts not":       {scopeSources{Before: one("b"), Site: one("a")}, one("a")},
		"a step-up first":               {scopeSources{StepUp: one("a", "w"), Challenge: one("c"), Site: one("b")}, one("a", "w")},
		"the person's":                  {scopeSources{Settings: one("p"), Challenge: one("c"), Site: one("b"), Issuer: one("offline_access")}, one("p")},
		"the person's with a step-up":   {scopeSources{Settings: one("p"), StepUp: one("w")}, one("p", "w")},
		"offline when listed":           {scopeSources{Challenge: one("c"), Issuer: one("c", "offline_access")}, one("c", "offline_access")},
		"not offline when not listed":   {scopeSources{Site: one("a", "offline_access"), Issuer: one("a")}, one("a")},
		"offline when nothing is said":  {scopeSources{Site: one("a", "offline_access")}, one("a", "offline_access")},
		"offline alone would be narrow": {scopeSources{Issuer: one("offline_access")}, nil},
		"once":                          {scopeSources{Site: one("a", "a", "offline_access"), Issuer: one("offline_access")}, one("a", "offline_access")},
	} {
		if got := c.from.scopes(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
