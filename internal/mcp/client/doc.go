// Package client is the MCP host's side of one connection to one server.
//
// It owns what the protocol asks of a host: finding the server's era, pairing
// requests with answers, cancelling, progress, the server's own requests, and
// rounds of input_required. Params and results stay the bytes that were given
// or sent; only the members that the protocol itself needs are read.
//
// It refuses to know what a tool means, who asked for a call, when to
// reconnect, and how bytes travel (that is a wire.Transport). It keeps no
// state beyond the connection.
//
// Sources: the Model Context Protocol, revisions 2024-11-05 to 2026-07-28.
package client
