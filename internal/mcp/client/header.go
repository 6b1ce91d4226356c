package client

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"

	"kontor.dev/kontor/internal/mcp/wire"
)

// header builds the standard request headers (2026-07-28, Streamable HTTP
// "Standard Headers"); nil where the revision or the transport has none.
func (c *conn) header(r *request) http.Header {
	if !c.http || !r.dialect.modern {
		return nil
	}
	h := http.Header{"Mcp-Method": {r.method}}
	if r.name != "" {
		h["Mcp-Name"] = []string{headerValue(r.name)}
	}
	maps.Copy(h, r.params)
	return h
}

const (
	encodedPrefix = "=?base64?"
	encodedSuffix = "?="
)

// headerValue writes text as a header value: as it is when it is printable ASCII
// that no one on the way would change, else in the base64 form. An empty value
// is encoded too, because some servers take an empty header for none.
func headerValue(s string) string {
	plain := s != "" && s == strings.Trim(s, " ") &&
		!(strings.HasPrefix(s, encodedPrefix) && strings.HasSuffix(s, encodedSuffix))
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] <= '~'
	}
	if plain {
		return s
	}
	return encodedPrefix + base64.StdEncoding.EncodeToString([]byte(s)) + encodedSuffix
}

// mirrored is an argument that goes into a header as well.
type mirrored struct {
	header string
	path   []string
}

// mirror builds the Mcp-Param headers of one call. Arguments that are absent,
// null, or no single value have none.
func mirror(rules []mirrored, arguments json.RawMessage) (http.Header, error) {
	if len(rules) == 0 {
		return nil, nil
	}
	h := http.Header{}
	for _, rule := range rules {
		value := arguments
		for _, member := range rule.path {
			value = wire.Member(value, member)
		}
		s, ok := argumentText(value)
		switch {
		case ok:
			h.Set("Mcp-Param-"+rule.header, headerValue(s))
		case isNumber(value):
			return nil, fmt.Errorf("%w: %s goes into a header, where only whole numbers up to 2^53-1 are allowed",
				ErrArguments, strings.Join(rule.path, "."))
		}
	}
	return h, nil
}

// argumentText is an argument as text: a string's content, true, false, or a
// whole number's digits, also of 1.0 and 1e2. Numbers that a float64 can't count
// have none: the specification forbids them here.
func argumentText(raw json.RawMessage) (string, bool) {
	switch {
	case len(raw) == 0:
		return "", false
	case raw[0] == '"':
		return text(raw), true
	case raw[0] == 't', raw[0] == 'f':
		return string(raw), true
	case isNumber(raw):
		f, err := strconv.ParseFloat(string(raw), 64)
		if err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return strconv.FormatInt(int64(f), 10), true
		}
	}
	return "", false
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9')
}
