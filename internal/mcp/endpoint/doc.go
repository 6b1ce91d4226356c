// Package endpoint is the HTTP side that both of MCP's HTTP transports stand on:
// an address and the headers that go with every request, which redirects are
// followed, limits of bodies, and how an answer that is no MCP is told.
//
// It refuses to know messages, sessions and streams. Which addresses may be
// reached, and how tokens are got, is decided by the http.Client handed in.
package endpoint
