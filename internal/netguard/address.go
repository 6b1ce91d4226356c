package netguard

import (
	"fmt"
	"net/netip"
	"strings"
)

// Class is what kind of place an address is.
type Class int

const (
	// Public is everything that is nothing else.
	Public Class = iota
	// Private is this machine and the networks around it: loopback, RFC 1918,
	// RFC 4193, carrier-grade NAT (RFC 6598; Tailscale too) and the like.
	Private
	// Forbidden is where no MCP server can be, but the keys of a cloud account may.
	Forbidden
)

type block struct {
	prefix netip.Prefix
	class  Class
	what   string
}

func blocks(class Class, what string, prefixes ...string) []block {
	all := make([]block, len(prefixes))
	for i, p := range prefixes {
		all[i] = block{netip.MustParsePrefix(p), class, what}
	}
	return all
}

// special is the part of the IANA special-purpose registries (RFC 6890) that
// matters for a client, and the addresses at which clouds hand out credentials.
// The first match counts.
var special = joined(
	blocks(Forbidden, "a cloud's metadata service",
		"169.254.169.254/32", "169.254.170.2/32", "fd00:ec2::254/128", // AWS, GCP, Azure
		"fd20:ce::254/128", "100.100.100.200/32", "192.0.0.192/32", "168.63.129.16/32"), // GCP, Alibaba, Oracle, Azure
	blocks(Forbidden, "a link-local address", "169.254.0.0/16", "fe80::/10"),
	blocks(Forbidden, "the unspecified address; use 127.0.0.1 or ::1 for this machine", "0.0.0.0/8", "::/128"),
	blocks(Forbidden, "a multicast or reserved address", "224.0.0.0/4", "240.0.0.0/4", "ff00::/8"),
	blocks(Private, "this machine", "127.0.0.0/8", "::1/128"),
	blocks(Private, "a private address",
		"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10",
		"100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15"),
)

func joined(lists ...[]block) (all []block) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// Classify tells what kind of place an address is, and in words what it is. An
// IPv6 address that leads to an IPv4 one (mapped, NAT64, 6to4) is that one.
func Classify(addr netip.Addr) (Class, string) {
	addr = embedded(addr.Unmap().WithZone(""))
	for _, b := range special {
		if b.prefix.Contains(addr) {
			return b.class, b.what
		}
	}
	if !addr.IsValid() {
		return Forbidden, "no address"
	}
	return Public, "a public address"
}

var (
	nat64      = netip.MustParsePrefix("64:ff9b::/96")   // RFC 6052
	localNAT64 = netip.MustParsePrefix("64:ff9b:1::/48") // RFC 8215
	sixToFour  = netip.MustParsePrefix("2002::/16")      // RFC 3056
	compatible = netip.MustParsePrefix("::/96")          // RFC 4291 §2.5.5.1
)

// embedded takes the IPv4 address out of an IPv6 address that leads to it.
func embedded(addr netip.Addr) netip.Addr {
	if !addr.Is6() {
		return addr
	}
	b := addr.As16()
	low := netip.AddrFrom4([4]byte(b[12:]))
	switch {
	case nat64.Contains(addr), localNAT64.Contains(addr), compatible.Contains(addr) && b[12] != 0:
		return low
	case sixToFour.Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}

// RefusedError is an address that a guarded client doesn't connect to.
type RefusedError struct {
	Host string
	Why  string
}

// Error names the address and the reason.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s is refused: %s", e.Host, e.Why)
}

// Check decides on one address. private allows the networks around us.
func Check(addr netip.Addr, private bool) error {
	class, what := Classify(addr)
	if class == Public || class == Private && private {
		return nil
	}
	why := "it is " + what
	if class == Private {
		why += ", which a server may name only when it is in such a place itself"
	}
	return &RefusedError{Host: addr.String(), Why: why}
}

// literal reads a URL's host as an address, where it is one without asking DNS.
func literal(host string) (addr netip.Addr, ok bool) {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") { // RFC 6761 §6.3
		return netip.AddrFrom4([4]byte{127, 0, 0, 1}), true
	}
	addr, err := netip.ParseAddr(host)
	return addr, err == nil
}

// disguised tells a host that some resolvers read as an IPv4 address although it
// isn't written as one: 2130706433, 0x7f.1 (WHATWG URL, "ends in a number").
func disguised(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	last := host[strings.LastIndexByte(host, '.')+1:]
	if rest, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}
