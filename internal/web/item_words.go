package web

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"kontor.dev/kontor/internal/catalogue"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/templates"
)

func (s *Server) serverTitle(name string) string {
	if v, err := s.o.Servers.Get(name); err == nil {
		return v.Config.Title()
	}
	return name
}

// callTitle is the title of the tool that an item is about, when it is known.
func (s *Server) callTitle(item model.Item) string {
	for _, t := range s.o.Catalogue.Tools(catalogue.Filter{Server: item.Server}) {
		if t.Name == item.Tool {
			return t.Title
		}
	}
	return ""
}

// askerWords say for whom a server asks.
func askerWords(a model.Asker) string {
	switch {
	case a.Kind == "person" || a.Kind == "":
		return "you"
	case a.Label != "":
		return a.Kind + " " + a.Label
	}
	return a.Kind
}

// ended says how an item ended, empty while it is open.
func ended(item model.Item) string {
	r := item.Resolution
	if r == nil {
		return ""
	}
	word := map[model.Action]string{
		model.ActionAccept: "Accepted", model.ActionDecline: "Declined", model.ActionCancel: "Cancelled",
	}[r.Action]
	return fmt.Sprintf("%s by %s, %s.", word, r.By, age(r.At))
}

// age is how long ago something was, in words.
func age(t time.Time) string {
	switch d := time.Since(t); {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return t.UTC().Format("2 January 2006, 15:04 UTC")
}

// left is how much time there is to answer; empty without a limit.
func left(deadline time.Time) string {
	d := time.Until(deadline)
	switch {
	case deadline.IsZero() || d < 0:
		return ""
	case d < time.Minute:
		return "less than a minute left"
	}
	return fmt.Sprintf("%d min left", int(d.Minutes()))
}

// link cuts an address up so that its host stands out, and says what is odd about
// it. Only http and https can be opened.
func link(raw string) *templates.Link {
	l := &templates.Link{Href: raw, Before: raw}
	u, err := url.Parse(raw)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		l.Blocked, l.Warning = true, "This isn't an address of a web page, so Kontor doesn't open it. Decline."
		return l
	}
	host := u.Host
	if before, after, found := strings.Cut(raw, host); found {
		l.Before, l.Host, l.After = before, host, after
	}
	l.Warning = oddHost(u)
	return l
}

// oddHost warns of what makes an address look like another, and of plain http.
func oddHost(u *url.URL) string {
	name := u.Hostname()
	ip := net.ParseIP(name)
	switch {
	case u.User != nil:
		return "What stands before the @ is not the host: this opens " + name + "."
	case strings.Contains(name, "xn--") || strings.ContainsFunc(name, func(r rune) bool { return r > 127 }):
		return "This host has letters that can look like others. Decline unless you know this address."
	case ip != nil && !ip.IsLoopback():
		return "This host is a bare number. Decline unless you know this address."
	case u.Scheme == "http" && (ip == nil || !ip.IsLoopback()) && name != "localhost":
		return "This address isn't encrypted (http): others on the way can read what you enter."
	}
	return ""
}
