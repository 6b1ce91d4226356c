package paste

import (
	"encoding/base64"
	"net/netip"
	"net/url"
	"regexp"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// bare is a host with a path or a port, typed without its scheme.
var bare = regexp.MustCompile(`^(?i)(localhost|\[[0-9a-f:]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+)(:\d{1,5})?(/\S*)?$`)

// readAddress reads one word that is an address.
func readAddress(text string) (_ Result, ok bool, _ error) {
	if strings.ContainsAny(text, " \t\n") {
		return Result{}, false, nil
	}
	r := Result{Format: Address}
	text = strings.Trim(text, "<>\"'`")
	lower := strings.ToLower(text)
	if !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower, "https://") {
		m := bare.FindStringSubmatch(text)
		if m == nil || m[2] == "" && m[3] == "" {
			return Result{}, false, nil
		}
		scheme := "https://"
		if nearby(strings.Trim(m[1], "[]")) {
			scheme = "http://"
		}
		text = scheme + text
		r.Warnings = append(r.Warnings, Warning{Code: WarnAssumed, Message: "it was taken for an address that begins with " + scheme})
	}
	r.take(model.Server{Transport: model.TransportHTTP, URL: reference(text), Enabled: true, ShareImages: true})
	r, err := finish(r)
	return r, true, err
}

// nearby tells hosts that seldom have a certificate.
func nearby(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast())
}

// readLink reads the links behind the "install in …" buttons of web pages:
// vscode:mcp/install?{…}, cursor://…/mcp/install?name=…&config=BASE64, and the
// web pages that lead to them.
func readLink(text string) (Result, bool, error) {
	if strings.ContainsAny(text, " \t\n") {
		return Result{}, false, nil
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return Result{}, false, nil
	}
	query := u.Query()
	if inner := query.Get("url"); strings.Contains(inner, "mcp/install") {
		return readLink(inner)
	}
	place := u.Opaque + u.Path
	if !strings.HasSuffix(place, "mcp/install") && !strings.HasSuffix(place, "install-mcp") {
		return Result{}, false, nil
	}
	config := query.Get("config")
	if config == "" {
		if config, err = url.QueryUnescape(u.RawQuery); err != nil {
			config = ""
		}
	}
	if decoded, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(config, " ", "+")); err == nil {
		config = string(decoded)
	}
	value, err := readJSON(config)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return Result{}, true, model.Errorf(model.CodeInvalid, "the link holds no configuration that can be read")
	}
	r := Result{Format: Link}
	r.add(query.Get("name"), object)
	r, err = finish(r)
	return r, true, err
}
