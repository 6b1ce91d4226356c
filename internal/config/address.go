package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Public tells whether others than this machine may reach the address (host:port)
// to listen on. A name that isn't loopback's counts as public.
func Public(listen string) bool {
	host, _, err := net.SplitHostPort(listen)
	if err != nil {
		return true
	}
	if strings.EqualFold(host, "localhost") {
		return false
	}
	addr, err := netip.ParseAddr(host)
	return err != nil || !addr.Unmap().IsLoopback()
}

func validListen(v string) error {
	host, port, err := net.SplitHostPort(v)
	if err != nil {
		return fmt.Errorf("%q is no address to listen on: use host:port, like %s", v, DefaultListen)
	}
	if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("%q has no port between 0 and 65535", v)
	}
	if strings.ContainsAny(host, "/ ") {
		return fmt.Errorf("%q is no address to listen on: use host:port, without http://", v)
	}
	return nil
}

// origin checks an address of scheme and host alone, and drops a slash at the end.
func origin(v string) (string, error) {
	u, err := url.Parse(v)
	if err != nil {
		return "", errors.New("it is no address: use one like https://kontor.example.org")
	}
	switch {
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return "", fmt.Errorf("%q is no address: use one like https://kontor.example.org", u.Redacted())
	case u.User != nil:
		return "", errors.New("it must not hold a user name or password")
	case u.Path != "" && u.Path != "/", u.RawQuery != "", u.Fragment != "":
		return "", fmt.Errorf("%q has a path: Kontor needs a host name, or a port, of its own", v)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

func hosts(v string) ([]string, error) {
	var all []string
	for host := range strings.SplitSeq(v, ",") {
		host = strings.ToLower(strings.TrimSpace(host))
		if host == "" {
			continue
		}
		if u, err := url.Parse("//" + host); err != nil || u.Host != host || u.Hostname() == "" {
			return nil, fmt.Errorf("%q is no host name: leave out scheme and path", host)
		}
		all = append(all, host)
	}
	return all, nil
}

// folder makes a path absolute; a leading ~ is the home folder.
func folder(v string) (string, error) {
	if rest, ok := strings.CutPrefix(v, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("the home folder is unknown: give a whole path (%w)", err)
		}
		v = home + rest
	}
	return filepath.Abs(v)
}
