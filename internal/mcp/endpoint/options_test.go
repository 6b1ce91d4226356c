package endpoint

import (
	"net/http"
	"strings"
	"testing"
)

func TestValidateURLSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://127.0.0.1:3000/mcp":   "",
		"https://mcp.example/x?a=b":   "",
		"HTTPS://mcp.example":         "",
		"http://[::1]:80/":            "",
		"":                            "empty",
		" http://h/":                  "blanks",
		"http://%zz-hunter2":          "not a URL",
		"http://h:port-hunter2/":      "not a URL",
		"mcp.example/mcp":             "http:// or https://",
		"ftp://h/":                    "http:// or https://",
		"file:///etc/passwd":          "http:// or https://",
		"javascript:alert(1)":         "http:// or https://",
		"http://":                     "no host",
		"http:///mcp":                 "no host",
		"http://:80/":                 "no host",
		"http://user:hunter2@h/":      "user name",
		"http://h/#token-is-hunter2":  "fragment",
		"http://h/#":                  "fragment",
		"http:opaque-hunter2.example": "no host",
	} {
		_, err := ValidateURL(address)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("ValidateURL(%q) = %v, want %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("ValidateURL(%q) repeats the address: %v", address, err)
		}
	}
}

func TestValidateHeaderNamesHeadersAndNoValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		header http.Header
		want   string
	}{
		{nil, ""},
		{http.Header{"X-Key": {"a b\tc", ""}, "authorization": {"Bearer é"}}, ""},
		{http.Header{"": {"x"}}, `""`},
		{http.Header{"X Key": {"x"}}, `"X Key"`},
		{http.Header{"X-Key:": {"x"}}, `"X-Key:"`},
		{http.Header{"X-Key": {"hunter2\r\nX: y"}}, "X-Key"},
		{http.Header{"host": {"x"}}, "host"},
		{http.Header{"Content-Length": {"1"}}, "Content-Length"},
		{http.Header{"Transfer-Encoding": {"chunked"}}, "Transfer-Encoding"},
	} {
		err := ValidateHeader(c.header)
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2")) {
			t.Errorf("ValidateHeader(%q) = %v, want %q", c.header, err, c.want)
		}
	}
}
