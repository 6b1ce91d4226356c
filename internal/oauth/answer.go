package oauth

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
)

// tidy makes a token endpoint's answer one that x/oauth2 reads, which refuses a
// whole answer for a lifetime that is no integer (3600.0) and reads JSON under
// text/plain as a form. A renewal that is refused for that is lost: the refresh
// token in it has replaced the one before.
func tidy(resp *http.Response) error {
	body, err := readAll(resp)
	_ = resp.Body.Close()
	if err != nil {
		return err
	}
	if tidied, ok := tidyAnswer(body); ok {
		body = tidied
		resp.Header.Set("Content-Type", "application/json")
	}
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return nil
}

// tidyAnswer rewrites expires_in (RFC 6749 §5.1) as whole seconds, and leaves it out
// where it says nothing; false for what is no JSON object.
func tidyAnswer(body []byte) ([]byte, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return nil, false
	}
	if raw, ok := members["expires_in"]; ok {
		if seconds, ok := lifetime(raw); ok {
			members["expires_in"] = strconv.AppendInt(nil, seconds, 10)
		} else {
			delete(members, "expires_in")
		}
	}
	tidied, err := json.Marshal(members)
	return tidied, err == nil
}

// lifetime reads a number of seconds, which some send as text or as a float.
func lifetime(raw json.RawMessage) (seconds int64, ok bool) {
	// ParseFloat answers what is too large with an infinity.
	f, _ := strconv.ParseFloat(strings.Trim(string(raw), `" `), 64)
	if !(f >= 1) { // nor NaN
		return 0, false
	}
	return int64(min(f, math.MaxInt32)), true
}
