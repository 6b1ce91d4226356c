package legacysse

import (
	"net/url"
	"testing"

	"kontor.dev/kontor/internal/mcp/endpoint"
)

// Whatever a server names as its endpoint, messages stay at its origin.
func FuzzEndpoint(f *testing.F) {
	for _, seed := range []string{
		"/messages?id=1", "messages", "?s=1", "//h.example/x", "http://h.example:80/m", "https://h.example/m", "http://user@h.example/",
		"http://evil.example/?token=hunter2", "\\\\evil.example", "/\\evil.example", "javascript:alert(1)", "http:evil.example", "http:///m", "\x00", "#x", " /m\n",
	} {
		f.Add(seed)
	}
	base, err := url.Parse("http://h.example/sse?key=k")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		to, err := resolve(base, text)
		if err != nil {
			return
		}
		if to.Scheme != "http" || to.User != nil || to.Fragment != "" || !endpoint.SameOrigin(base, to) {
			t.Errorf("%q led to %s", text, to)
		}
		if again, err := url.Parse(to.String()); err != nil || !endpoint.SameOrigin(base, again) {
			t.Errorf("%q led to %s, which reads as another place: %v", text, to, err)
		}
	})
}
