package client

import "encoding/json"

// Info is what a server said about itself when the connection opened.
type Info struct {
	Era Era
	// ProtocolVersion is the revision that every further message uses.
	ProtocolVersion string
	// ServerInfo is the Implementation object as sent; nil when left out.
	ServerInfo json.RawMessage
	// Name, Version and Title are ServerInfo's, read.
	Name, Version, Title string
	Instructions         string
	// Capabilities is the object as sent; nil when left out.
	Capabilities json.RawMessage
	// Warnings tell what was odd about the opening.
	Warnings []Warning
}
