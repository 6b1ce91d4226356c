// Package servers keeps the connections that the person wants: for every
// configured server one goroutine that dials, lists, watches, dials again and
// closes, and says in words where it stands.
//
// It refuses to know who uses a connection and for what: calls, catalogue,
// inbox and logs are small interfaces here, and news goes out by one function.
package servers
