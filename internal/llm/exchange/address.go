package exchange

import (
	"net/url"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Address is a provider's base URL, taken apart.
type Address struct {
	// Base is without query; its path has no slash at the end.
	Base string
	// Host is what messages call the provider.
	Host string
	// Query goes with every request; its values may be keys.
	Query url.Values
}

// Secrets are the values of the query.
func (a Address) Secrets() []string {
	var s []string
	for _, values := range a.Query {
		s = append(s, values...)
	}
	return s
}

// ParseAddress reads a base URL as people enter it: with or without a slash at its
// end, and also as the whole endpoint, when its path ends in one of endpoints. The
// error has model.CodeInvalid and doesn't repeat the address, which may hold a key.
func ParseAddress(base string, endpoints ...string) (Address, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Address{}, model.Errorf(model.CodeInvalid, "The model's address must be an http or https address.")
	}
	if u.User != nil {
		return Address{}, model.Errorf(model.CodeInvalid, "The model's address must not hold a name or password: enter the key in its own field.")
	}
	a := Address{Host: u.Host, Query: u.Query()}
	u.RawQuery, u.Fragment, u.RawFragment = "", "", ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	for _, e := range endpoints {
		u.Path = strings.TrimSuffix(u.Path, e)
	}
	a.Base = u.String()
	return a, nil
}
