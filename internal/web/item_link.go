package web

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"unicode"

	"golang.org/x/net/idna"

	"kontor.dev/kontor/templates"
)

// link cuts an address up so that its host stands out as it is looked up (letters
// of other scripts as xn--), and says what is odd about it, as the SPA does
// (web/src/lib/hosts.ts). own is the host of the server that asks, if it has one.
// Only http and https can be opened.
func link(raw, own string) *templates.Link {
	l := &templates.Link{Href: raw, Before: writtenOut(raw)}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		l.Blocked = true
		l.Warnings = []templates.Warning{{
			Bad: true, Title: "Kontor doesn’t open this address.", Text: "Only http and https are opened.",
		}}
		return l
	}
	name := realName(u.Hostname())
	before, after, found := strings.Cut(raw, u.Host)
	if !found { // the host was written with escapes
		before, after = u.Scheme+"://", u.RequestURI()
	}
	l.Before, l.After = writtenOut(before), writtenOut(after)
	l.Host = strings.Replace(u.Host, u.Hostname(), name, 1)
	l.Warnings = oddHost(u, name, own)
	if writtenOut(raw) != raw {
		l.Warnings = append(l.Warnings, templates.Warning{Bad: true, Title: "The address holds characters that can’t be seen.",
			Text: "They can make it look like another one, and are written out here."})
	}
	return l
}

// writtenOut replaces what can't be seen but changes how an address looks, such as
// marks that turn the order of letters around (UAX 9), with ‹U+202E›.
func writtenOut(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			fmt.Fprintf(&b, "‹U+%04X›", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// realName is a host as DNS knows it (RFC 5891, ToASCII).
func realName(host string) string {
	if name, err := idna.Lookup.ToASCII(host); err == nil {
		return name
	}
	// Not a good name, but a browser may be more patient with it.
	if name, err := idna.Punycode.ToASCII(host); err == nil {
		return name
	}
	return host
}

// oddHost warns of what makes an address look like another, and of plain http.
func oddHost(u *url.URL, name, own string) []templates.Warning {
	var out []templates.Warning
	add := func(bad bool, title, text string) {
		out = append(out, templates.Warning{Bad: bad, Title: title, Text: text})
	}
	if hasPunycode(name) {
		add(true, "This host is written with special letters.", "Its real name is "+name+". Letters of other scripts can look like familiar ones. Decline unless you know this address.")
	}
	if looksLike(name, own) {
		add(true, "This host only looks like "+domain(own)+".", "It is spelled differently: "+domain(name)+". The server itself is at "+own+". Decline unless you know this address.")
	}
	if u.User != nil {
		add(true, "The address starts with a user name.", "What comes before the @ is not where it leads: that is "+name+".")
	}
	ip := net.ParseIP(name)
	loopback := ip != nil && ip.IsLoopback() || name == "localhost" || strings.HasSuffix(name, ".localhost")
	if u.Scheme == "http" && !loopback {
		add(false, "The connection is not encrypted.", "It is plain http: anyone on the way can read and change what you see and type.")
	}
	if ip != nil && !loopback {
		add(false, "This is a bare network address.", "No name says whose it is.")
	}
	return out
}

func hasPunycode(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if strings.HasPrefix(label, "xn--") {
			return true
		}
	}
	return false
}

// looksLike tells whether two hosts of different domains could be mixed up.
func looksLike(name, own string) bool {
	mine, real := domain(name), domain(own)
	return mine != "" && real != "" && mine != real && skeleton(mine) == skeleton(real)
}

// domain is the last two labels: good enough to compare, wrong for some public
// suffixes; empty for a number.
func domain(host string) string {
	if net.ParseIP(host) != nil {
		return ""
	}
	labels := strings.Split(strings.ToLower(host), ".")
	return strings.Join(labels[max(0, len(labels)-2):], ".")
}

// skeleton is what a host looks like at a glance, after the idea of Unicode TS 39;
// the same spellings as in web/src/lib/lookalike.ts.
func skeleton(host string) string {
	for _, alike := range [][2]string{{"rn", "m"}, {"vv", "w"}, {"cl", "d"}, {"0", "o"}, {"1", "l"}, {"i", "l"}, {"5", "s"}, {"-", ""}} {
		host = strings.ReplaceAll(host, alike[0], alike[1])
	}
	return host
}
