package netguard

import (
	"errors"
	"net/netip"
	"testing"
)

func TestCheckDecidesOnEachKindOfAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		addr           string
		named, private bool // allowed without and with private networks
	}{
		{"8.8.8.8", true, true},
		{"2606:4700::1111", true, true},
		{"172.15.255.255", true, true},
		{"172.32.0.0", true, true},
		{"100.63.255.255", true, true},
		{"100.128.0.0", true, true},
		{"169.253.255.255", true, true},
		{"223.255.255.255", true, true},
		{"2001:db8::1", true, true},

		{"127.0.0.1", false, true},
		{"127.255.255.254", false, true},
		{"::1", false, true},
		{"10.1.2.3", false, true},
		{"172.16.0.1", false, true},
		{"172.31.255.255", false, true},
		{"192.168.1.1", false, true},
		{"100.64.0.1", false, true},
		{"100.127.255.255", false, true},
		{"fd12:3456::1", false, true},
		{"fec0::1", false, true},
		{"198.18.0.1", false, true},

		{"169.254.169.254", false, false},
		{"169.254.1.1", false, false},
		{"169.254.170.2", false, false},
		{"fe80::1", false, false},
		{"fe80::1%eth0", false, false},
		{"fd00:ec2::254", false, false},
		{"fd20:ce::254", false, false},
		{"100.100.100.200", false, false},
		{"168.63.129.16", false, false},
		{"0.0.0.0", false, false},
		{"0.1.2.3", false, false},
		{"::", false, false},
		{"224.0.0.1", false, false},
		{"ff02::1", false, false},
		{"255.255.255.255", false, false},
		{"240.0.0.1", false, false},

		// IPv4 inside IPv6.
		{"::ffff:8.8.8.8", true, true},
		{"::ffff:127.0.0.1", false, true},
		{"::ffff:169.254.169.254", false, false},
		{"64:ff9b::808:808", true, true},
		{"64:ff9b::a00:1", false, true},
		{"64:ff9b::a9fe:a9fe", false, false},
		{"64:ff9b:1::a9fe:a9fe", false, false},
		{"2002:a9fe:a9fe::1", false, false},
		{"2002:7f00:1::", false, true},
		{"::7f00:1", false, true},
	} {
		addr := netip.MustParseAddr(c.addr)
		for private, want := range map[bool]bool{false: c.named, true: c.private} {
			err := Check(addr, private)
			if got := err == nil; got != want {
				t.Errorf("Check(%s, private %v) = %v, want allowed %v", c.addr, private, err, want)
			}
			var refused *RefusedError
			if err != nil && (!errors.As(err, &refused) || refused.Why == "") {
				t.Errorf("Check(%s): %v gives no reason", c.addr, err)
			}
		}
	}
	if Check(netip.Addr{}, true) == nil {
		t.Error("the zero address is allowed")
	}
}

func TestHostsThatAreAddresses(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"localhost": "127.0.0.1", "LOCALHOST.": "127.0.0.1", "a.localhost": "127.0.0.1", "10.0.0.1": "10.0.0.1", "fe80::1": "fe80::1",
		"example.com": "", "localhost.example.com": "", "2130706433": "",
	} {
		addr, ok := literal(host)
		if got := addr.String(); ok != (want != "") || ok && got != want {
			t.Errorf("literal(%q) = %s, %v, want %q", host, got, ok, want)
		}
	}
	for host, want := range map[string]bool{
		"2130706433": true, "0x7f.1": true, "127.1": true, "0x7f000001": true, "127.0.0.0x1.": true, "a.0x": true,
		"example.com": false, "1.example": false, "0xyz": false, "": false, "mcp2": false,
	} {
		if got := disguised(host); got != want {
			t.Errorf("disguised(%q) = %v, want %v", host, got, want)
		}
	}
}
