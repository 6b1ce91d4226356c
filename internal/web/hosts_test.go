package web

import "testing"

func TestHostAllowed(t *testing.T) {
	t.Parallel()
	allowed := []string{"kontor.example.org", "box.lan:8080"}
	for host, want := range map[string]bool{
		"localhost": true, "LocalHost.:8798": true, "a.localhost:1": true, "127.0.0.1:8798": true, "127.9.9.9": true,
		"[::1]:8798": true, "[::1]": true, "kontor.example.org:443": true, "box.lan": true, "box.lan:": true,
		"": false, ":80": false, "evil.com": false, "evil.com:8798": false, "192.168.1.2:8798": false,
		"127.0.0.1:8798.evil.com": false, "localhost:8798.evil.com": false, "localhost:80@evil.com": false,
		"kontor.example.org:443.evil.com": false, "kontor.example.org.evil.com": false, "[::1]:x": false,
	} {
		if got := hostAllowed(host, allowed); got != want {
			t.Errorf("hostAllowed(%q) = %v, want %v", host, got, want)
		}
	}
}
