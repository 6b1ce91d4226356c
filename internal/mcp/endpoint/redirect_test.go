package endpoint

import (
	"net/url"
	"testing"
)

func TestFollowRedirect(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status   int
		from, to string
		hops     int
		want     bool
	}{
		{307, "http://h/mcp", "http://h/mcp/", 1, true},
		{308, "http://h/mcp", "http://H:80/mcp/", 1, true},
		{308, "https://h/mcp", "https://h:443/x", maxRedirects, true},
		{307, "http://h/mcp", "http://h/mcp/", maxRedirects + 1, false},
		{301, "http://h/mcp", "http://h/mcp/", 1, false},
		{302, "http://h/mcp", "http://h/login", 1, false},
		{303, "http://h/mcp", "http://h/login", 1, false},
		{307, "http://h/mcp", "https://h/mcp", 1, false},
		{307, "http://h/mcp", "http://h:8080/mcp", 1, false},
		{307, "http://h/mcp", "http://h.evil/mcp", 1, false},
		{307, "http://h/mcp", "http://user:pw@h/mcp", 1, false},
	} {
		from, _ := url.Parse(c.from)
		to, _ := url.Parse(c.to)
		if got := followRedirect(c.status, from, to, c.hops); got != c.want {
			t.Errorf("followRedirect(%d, %s, %s, %d) = %v", c.status, c.from, c.to, c.hops, got)
		}
	}
}
