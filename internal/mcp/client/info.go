package client

import (
	"encoding/json"
	"fmt"
	"slices"

	"kontor.dev/kontor/internal/mcp/wire"
)

// Info is what a server said about itself when the connection opened.
type Info struct {
	Era Era
	// SSE says that the connection is over the HTTP+SSE transport of 2024-11-05.
	SSE bool
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

// Supports tells whether the server declared a capability: "tools",
// "resources", "prompts", "completions", "logging", …
func (i Info) Supports(capability string) bool {
	declared := wire.Member(i.Capabilities, capability)
	return declared != nil && string(declared) != "null" && string(declared) != "false"
}

// readDiscover reads a DiscoverResult. serverInfo stands in _meta; drafts of the
// revision had it beside the capabilities.
func readDiscover(result json.RawMessage) Info {
	info := Info{
		Era:          Modern,
		Capabilities: wire.Member(result, "capabilities"),
		ServerInfo:   wire.Member(wire.Member(result, "_meta"), "io.modelcontextprotocol/serverInfo"),
		Instructions: text(wire.Member(result, "instructions")),
	}
	if info.ServerInfo == nil {
		info.ServerInfo = wire.Member(result, "serverInfo")
	}
	info.readServer()
	return info
}

// readInitialize reads an InitializeResult. A version that we don't know is
// taken all the same: messages hardly differ, and a refusal helps nobody.
func readInitialize(asked string, result json.RawMessage) (Info, error) {
	if wire.Member(result, "protocolVersion") == nil && wire.Member(result, "capabilities") == nil {
		return Info{}, fmt.Errorf("%w: the answer to initialize is no InitializeResult: %s", ErrProtocol, head(result, 200))
	}
	info := Info{
		Era:             Legacy,
		ProtocolVersion: text(wire.Member(result, "protocolVersion")),
		Capabilities:    wire.Member(result, "capabilities"),
		ServerInfo:      wire.Member(result, "serverInfo"),
		Instructions:    text(wire.Member(result, "instructions")),
	}
	info.readServer()
	switch v := info.ProtocolVersion; {
	case v == "":
		info.ProtocolVersion = asked
		info.Warnings = append(info.Warnings, Warning{Code: WarnVersionMissing,
			Message: fmt.Sprintf("the server named no protocol version; %s is assumed", asked)})
	case isModern(v), !slices.Contains(revisions(), v):
		info.Warnings = append(info.Warnings, Warning{Code: WarnVersionUnknown,
			Message: fmt.Sprintf("the server answered initialize with protocol version %.40q, which does not go with it", v)})
	}
	return info, nil
}

func (i *Info) readServer() {
	i.Name = text(wire.Member(i.ServerInfo, "name"))
	i.Version = text(wire.Member(i.ServerInfo, "version"))
	i.Title = text(wire.Member(i.ServerInfo, "title"))
}

// text reads a JSON string; anything else is empty.
func text(raw json.RawMessage) string {
	s, _ := wire.Text(raw)
	return s
}
