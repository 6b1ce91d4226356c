package endpoint

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// DefaultMaxMessage is the limit of one message in bytes.
const DefaultMaxMessage = 16 << 20

// DefaultIdle is how long an event stream that sends keep-alives may be silent.
const DefaultIdle = time.Minute

// Options describe one server.
type Options struct {
	// URL is the server's MCP endpoint; see ValidateURL.
	URL string
	// Header goes with every request, Authorization included. What the protocol
	// itself sets (Accept, Content-Type, Mcp-Session-Id, …) beats it.
	Header http.Header
	// Client makes the requests; it is where address checks, proxies, TLS and
	// tokens live. Required. It is copied: redirects follow this package's rules,
	// and Timeout is ignored, since streams have no end and every message has a
	// context. Its Transport must not limit the wait for response headers (a tool
	// may run for hours before a JSON answer begins), and for many calls at a
	// time needs MaxIdleConnsPerHost of 64 or more: net/http's 2 throws away all
	// other connections after each burst.
	Client *http.Client
	// MaxMessage is the limit of one message in bytes, also of one event.
	// Default DefaultMaxMessage.
	MaxMessage int
	// Idle is how long an event stream that sends keep-alives may be silent before
	// it is cut and opened again. Default DefaultIdle.
	Idle time.Duration
}

// Endpoint is a place that requests go to. It doesn't change once it is made.
type Endpoint struct {
	URL *url.URL
	// Max is the limit of one message in bytes.
	Max int
	// Idle is how long a stream with keep-alives may be silent.
	Idle time.Duration

	client *http.Client
	header http.Header
}

// New checks the options.
func New(o Options) (*Endpoint, error) {
	u, err := ValidateURL(o.URL)
	if err != nil {
		return nil, err
	}
	if err := ValidateHeader(o.Header); err != nil {
		return nil, err
	}
	if o.Client == nil {
		return nil, errors.New("endpoint: no http.Client")
	}
	if o.MaxMessage <= 0 {
		o.MaxMessage = DefaultMaxMessage
	}
	if o.Idle <= 0 {
		o.Idle = DefaultIdle
	}
	client := *o.Client
	client.CheckRedirect, client.Timeout = checkRedirect, 0
	return &Endpoint{URL: u, Max: o.MaxMessage, Idle: o.Idle, client: &client, header: canonical(o.Header)}, nil
}

// ValidateURL parses the address of an MCP endpoint and says in words what is
// wrong with it. The words never repeat the address, which may hold a secret.
func ValidateURL(address string) (*url.URL, error) {
	if strings.TrimSpace(address) != address || address == "" {
		return nil, errors.New("the address is empty or has blanks around it")
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address is not a URL")
	}
	switch scheme := strings.ToLower(u.Scheme); {
	case scheme != "http" && scheme != "https":
		return nil, errors.New("the address must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, errors.New("the address names no host")
	case u.User != nil:
		return nil, errors.New("the address holds a user name or password; put credentials into a header instead")
	case u.Fragment != "" || strings.Contains(address, "#"):
		return nil, errors.New("the address has a fragment (#), which is never sent; remove it")
	}
	return u, nil
}

// reserved are headers that belong to HTTP itself: net/http ignores some of
// them, and others break the framing of messages.
var reserved = []string{
	"Accept-Encoding", "Connection", "Content-Length", "Expect", "Host", "Keep-Alive",
	"Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade",
}

// ValidateHeader says what is wrong with configured headers. It names headers,
// never values.
func ValidateHeader(h http.Header) error {
	for name, values := range h {
		switch {
		case !httpguts.ValidHeaderFieldName(name):
			return fmt.Errorf("%q can't be the name of a header", name)
		case slices.Contains(reserved, http.CanonicalHeaderKey(name)):
			return fmt.Errorf("the header %s is set by HTTP itself and can't be configured", name)
		}
		for _, v := range values {
			if !httpguts.ValidHeaderFieldValue(v) {
				return fmt.Errorf("the value of the header %s has characters that no header may have", name)
			}
		}
	}
	return nil
}

// canonical copies headers under the names that net/http sends them by.
func canonical(h http.Header) http.Header {
	c := make(http.Header, len(h)+2)
	for name, values := range h {
		name = http.CanonicalHeaderKey(name)
		c[name] = append(c[name], values...)
	}
	return c
}
