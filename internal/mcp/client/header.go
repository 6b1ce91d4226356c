package client

import (
	"encoding/base64"
	"encoding/json"
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
func mirror(rules []mirrored, arguments json.RawMessage) http.Header {
	if len(rules) == 0 {
		return nil
	}
	h := http.Header{}
	for _, rule := range rules {
		value := arguments
		for _, member := range rule.path {
			value = wire.Member(value, member)
		}
		if s, ok := argumentText(value); ok {
			h.Set("Mcp-Param-"+rule.header, headerValue(s))
		}
	}
	return h
}

// argumentText is an argument as text: a string's content, true, false, or a
// number's digits. Whole numbers are written as such (1.0 and 1e2 too), as far
// as a float64 is exact.
func argumentText(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	switch raw[0] {
	case '"':
		return text(raw), true
	case 't', 'f':
		return string(raw), true
	case 'n', '{', '[':
		return "", false
	}
	digits := string(raw)
	if !strings.ContainsAny(digits, ".eE") {
		return digits, true
	}
	if f, err := strconv.ParseFloat(digits, 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatInt(int64(f), 10), true
	}
	return digits, true
}
