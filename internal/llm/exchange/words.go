package exchange

import (
	"errors"
	"net/url"
	"strings"
	"unicode"
)

const (
	// minSecret is the length from which a value is blotted out: shorter ones are
	// placeholders ("ollama"), and words of their own.
	minSecret = 8
	maxWords  = 300
	blot      = "•••"
)

// clean makes a provider's words fit to show: without secrets, on one line, of
// bounded length.
func (o Options) clean(s string) string {
	s = o.blotted(s)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsGraphic(r)
	}), " ")
	if r := []rune(s); len(r) > maxWords {
		s = string(r[:maxWords]) + "…"
	}
	return s
}

// blotted replaces secrets, also where they are escaped as in an address.
func (o Options) blotted(s string) string {
	for _, secret := range o.Secrets {
		if len(secret) < minSecret {
			continue
		}
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret)} {
			s = strings.ReplaceAll(s, form, blot)
		}
	}
	return s
}

// cause is err for a log: what it says, blotted. Its chain is given up, since a
// link of it may print the request.
func (o Options) cause(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(o.blotted(err.Error()))
}
