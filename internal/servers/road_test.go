package servers

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/netguard"
)

// brokenRoad is a rig whose requests fail on their way.
func brokenRoad(t *testing.T, transport http.RoundTripper) *rig {
	t.Helper()
	return newRigWith(t, func(o *Options) {
		o.Connect = connect
		o.HTTPClient = func(model.Server) (*http.Client, error) { return &http.Client{Transport: transport}, nil }
	})
}

func TestDoctorOfTheRoad(t *testing.T) {
	t.Parallel()
	failing := func(err error) http.RoundTripper {
		return &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, err }}
	}
	certified := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(certified.Close)
	plain := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(plain.Close)
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	trusting := certified.Client().Transport.(*http.Transport)
	late := trusting.Clone()
	late.TLSClientConfig.Time = func() time.Time { return time.Now().AddDate(200, 0, 0) }
	misnamed := trusting.Clone()
	misnamed.TLSClientConfig.ServerName = "another.test"
	clean := func(tr *http.Transport) http.RoundTripper {
		t.Cleanup(tr.CloseIdleConnections)
		return tr
	}
	guard, err := netguard.New(netguard.Options{Server: "http://169.254.1.1/"})
	if err != nil {
		t.Fatal(err)
	}
	const named, byNumber = "https://mcp.test/mcp", "parse variables tcp"
	cases := map[string]struct {
		transport http.RoundTripper
		address   string
		want      doctored
	}{
		"no host": {failing(&net.OpError{Op: "dial", Err: &net.DNSError{Name: "mcp.test", IsNotFound: true}}), named,
			doctored{"parse variables dns!", codeHostNotFound, "mcp.test", "", "spelt"}},
		"no name service": {failing(&net.OpError{Op: "dial", Err: &net.DNSError{Name: "mcp.test", Err: "server misbehaving"}}), named,
			doctored{"parse variables dns!", codeDNS, "server misbehaving", "", "online"}},
		"no way": {failing(&net.OpError{Op: "dial", Err: errors.New("network is unreachable")}), named,
			doctored{"parse variables dns tcp!", codeUnreachable, "network is unreachable", "", "VPN"}},
		"forbidden": {guard.Typed().Transport, "http://169.254.1.1/mcp", doctored{byNumber + "!", codeAddressRefused, "link-local", "", "address"}},
		"closed":    {clean(&http.Transport{}), closed.URL, doctored{byNumber + "!", codeConnectionRefused, "nothing listens", "", "port"}},
		"untrusted": {clean(&http.Transport{}), certified.URL, doctored{byNumber + " tls!", codeTLSUntrusted, "not trusted", "", "SSL_CERT_FILE"}},
		"expired":   {clean(late), certified.URL, doctored{byNumber + " tls!", codeTLSExpired, "not valid at this time", "", "clock"}},
		"misnamed":  {clean(misnamed), certified.URL, doctored{byNumber + " tls!", codeTLSHost, "another host", "", "name"}},
		"no TLS":    {clean(&http.Transport{}), strings.Replace(plain.URL, "http:", "https:", 1), doctored{byNumber + " tls!", codeNoTLS, "doesn't speak TLS", "", "http://"}},
		"old TLS": {clean(&http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS10, MinVersion: tls.VersionTLS10}}), certified.URL,
			doctored{byNumber + " tls!", codeTLS, "TLS failed", "", "TLS settings"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tc.want.check(t, brokenRoad(t, tc.transport).Test(t.Context(), remote("a", tc.address)))
		})
	}
}

func TestDoctorFindsTheOlderTransport(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "old", Version: "1"}, nil)
	peer := httptest.NewServer(mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(func() {
		peer.CloseClientConnections()
		peer.Close()
	})
	report := real(t).Test(t.Context(), remote("", peer.URL+"/sse"))
	if !report.OK() {
		t.Fatalf("got %q: %v", shown(report), report.Err)
	}
	for _, st := range report.Stages {
		if st.Name == StageEra && (st.Code != codeOnlySSE || st.Fix == "" || !strings.Contains(st.Message, "HTTP+SSE")) {
			t.Errorf("era: %+v", st)
		}
	}
}
