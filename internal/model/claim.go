package model

import "encoding/json"

// ClaimKind is what a server can claim of a tool (MCP tool annotations).
type ClaimKind string

// The claims.
const (
	ClaimReads      ClaimKind = "reads"
	ClaimDestroys   ClaimKind = "destroys"
	ClaimSpares     ClaimKind = "spares"
	ClaimSilent     ClaimKind = "silent"
	ClaimRepeatable ClaimKind = "repeatable"
	ClaimOutside    ClaimKind = "outside"
)

// Claim is one claim of a tool, in words for whoever is to approve it.
type Claim struct {
	Kind  ClaimKind
	Words string
}

// Claims are what a server claims of its tool: quoted, unless the person trusts the
// server. One that says neither that it reads nor whether it destroys is silent: by the
// protocol's defaults it may do anything (2025-11-25, ToolAnnotations), but that isn't
// its word. One that says two things is shown with both.
func Claims(annotations json.RawMessage, trusted bool) []Claim {
	var h struct {
		ReadOnly    bool  `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"`
		Idempotent  bool  `json:"idempotentHint"`
		OpenWorld   bool  `json:"openWorldHint"`
	}
	_ = json.Unmarshal(annotations, &h) // odd ones say nothing
	claimed := "says it "
	if trusted {
		claimed = ""
	}
	var claims []Claim
	if h.ReadOnly {
		claims = append(claims, Claim{ClaimReads, claimed + "only reads"})
	}
	switch {
	case h.Destructive != nil && *h.Destructive:
		claims = append(claims, Claim{ClaimDestroys, "may destroy"})
	case h.ReadOnly: // reads, and destroys nothing
	case h.Destructive == nil:
		claims = append(claims, Claim{ClaimSilent, "doesn’t say what it does"})
	default:
		claims = append(claims, Claim{ClaimSpares, claimed + "destroys nothing"})
	}
	switch {
	case h.Idempotent && trusted:
		claims = append(claims, Claim{ClaimRepeatable, "safe to repeat"})
	case h.Idempotent:
		claims = append(claims, Claim{ClaimRepeatable, "says it is safe to repeat"})
	}
	if h.OpenWorld {
		claims = append(claims, Claim{ClaimOutside, "reaches outside"})
	}
	return claims
}
