package model

import (
	"crypto/sha256"
	"encoding/json"
	"time"
)

// SavedCatalogue is what a server listed last, and how it was reached then. It
// outlives the connection and the process.
type SavedCatalogue struct {
	Server string
	// Fingerprint tells with which settings and credentials it was found. It is as
	// secret as they are.
	Fingerprint [sha256.Size]byte
	// Era is "legacy" or "modern". SSE says that it was reached over the HTTP+SSE
	// transport of 2024-11-05.
	Era string
	SSE bool

	ProtocolVersion, ServerName, ServerVersion, Instructions string
	// Lists are the entries as the server sent them.
	Lists    map[ListKind][]json.RawMessage
	ListedAt time.Time
}

// ToolPin is the definition of a tool that the person knows: the first one that
// was seen, or the one that was accepted since. A definition is a JSON object with
// title, description, inputSchema, outputSchema and annotations, where the server
// gave them.
type ToolPin struct {
	Server, Tool string
	Definition   json.RawMessage
	// Changed is what the server says now; nil while that is Definition.
	Changed json.RawMessage
	// ChangedAt is when the definition changed last, accepted or not; zero when it
	// never did.
	ChangedAt time.Time
	PinnedAt  time.Time
}

// DefinitionChange is a tool's definition that is no longer the one that the
// person knows.
type DefinitionChange struct {
	Old, New json.RawMessage
	At       time.Time
}
