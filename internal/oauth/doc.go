// Package oauth signs in to MCP servers: it finds the authorization server of a
// server, is a client there, takes a person through the browser or gets tokens
// for a machine, keeps them, renews them, and puts them on requests to the
// server that they are for and on no others.
//
// It refuses to know what MCP messages are, where bytes are stored and how they
// are sealed, which addresses may be reached, and what a person sees. It never
// makes a request wait for a person.
//
// The rules are those of the MCP specification, basic/authorization of the
// revisions 2025-03-26 to 2026-07-28, with OAuth 2.1 and RFC 6750 (bearer
// tokens), 7009 (revocation), 7523 (JWT grants), 7591 (registration), 7636
// (PKCE), 8414 (metadata), 8693 (token exchange), 8707 (resource), 9207 (iss),
// 9449 (DPoP) and 9728 (protected resource metadata).
package oauth
