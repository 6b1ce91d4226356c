package oauth

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"kontor.dev/kontor/internal/model"
)

const resourceSuffix = "oauth-protected-resource"

// site is what a server says about itself: its protected resource metadata.
type site struct {
	// Resource is the resource identifier, exactly as the server wrote it.
	Resource string
	// Issuers are the authorization servers in the server's order; none where the
	// server has no metadata (revision 2025-03-26).
	Issuers []string
	Scopes  []string
	// Metadata is where the document was found.
	Metadata string
	// DPoP says that the server takes bound tokens only (RFC 9449).
	DPoP bool
}

// discovery asks the server and what it names. It keeps nothing.
type discovery struct {
	client *http.Client
	server *url.URL
}

// plain tells whether the server itself is reached without TLS: then what it
// names may be, too.
func (d discovery) plain() bool { return d.server.Scheme == "http" }

// places are where protected resource metadata may be, in the specification's
// order: what the challenge names, then under the server's path, then the root.
func (d discovery) places(ch challenge) []string {
	var places []string
	if u, err := d.server.Parse(ch.Metadata); ch.Metadata != "" && err == nil {
		places = append(places, u.String())
	}
	at := wellKnown(d.server, resourceSuffix, d.server.EscapedPath())
	if d.server.RawQuery != "" { // RFC 9728 §3.1 keeps the query
		places = append(places, at+"?"+d.server.RawQuery)
	}
	places = append(places, at)
	if root := wellKnown(d.server, resourceSuffix, ""); root != at {
		places = append(places, root)
	}
	return places
}

// site finds the server's metadata. A document that is there decides: when it is
// about something else, a token could end up with somebody else, so nothing else
// is tried.
func (d discovery) site(ctx context.Context, ch challenge) (site, error) {
	var unreachable error
	for _, at := range d.places(ch) {
		if _, err := checkEndpoint(at, d.plain()); err != nil {
			return site{}, model.Errorf(model.CodeProtocol, "%s names an address for its metadata that can't be used: %w", d.server.Host, err)
		}
		var doc oauthex.ProtectedResourceMetadata
		err := getJSON(ctx, d.client, at, &doc)
		if absent := (*absentError)(nil); errors.As(err, &absent) || err == nil && doc.Resource == "" {
			continue
		} else if err != nil {
			unreachable = err
			continue
		}
		return d.judge(at, doc)
	}
	switch {
	case unreachable != nil:
		return site{}, unreachable
	case ch.Metadata != "":
		return site{}, model.Errorf(model.CodeProtocol, "%s asks for a sign-in and names its metadata, but there is none at %s", d.server.Host, foreign(ch.Metadata))
	}
	return site{Resource: resourceOf(d.server)}, nil
}

func (d discovery) judge(at string, doc oauthex.ProtectedResourceMetadata) (site, error) {
	switch {
	case !covers(doc.Resource, d.server):
		return site{}, model.Errorf(model.CodeProtocol, "the metadata of %s is about another resource: it names %s, but the server is %s. A token for it could be used by somebody else, so no sign-in is offered",
			d.server.Host, foreign(doc.Resource), shown(d.server))
	case len(doc.AuthorizationServers) == 0:
		return site{}, model.Errorf(model.CodeProtocol, "the metadata of %s names no authorization server", d.server.Host)
	}
	return site{
		Resource: doc.Resource, Issuers: distinct(doc.AuthorizationServers), Scopes: cleanScopes(doc.ScopesSupported),
		Metadata: at, DPoP: doc.DPOPBoundAccessTokensRequired,
	}, nil
}

// resourceOf is the resource identifier of a server that doesn't name one: its
// address without what a resource can't have.
func resourceOf(server *url.URL) string {
	u := *server
	u.Fragment, u.RawFragment, u.User = "", "", nil
	return u.String()
}

// shown is an address without its query, which may hold a secret.
func shown(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

func distinct(list []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, s := range list {
		if s != "" && !seen[s] && len(kept) < 16 {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}
