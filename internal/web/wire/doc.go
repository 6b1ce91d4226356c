// Package wire owns the shapes of the REST API and of the WebSocket, and how the
// words of the domain become them. Each shape is written once, here: the OpenAPI
// document and the SPA's types are generated from it. It refuses to know who
// sends or stores them.
package wire
