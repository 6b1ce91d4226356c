package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"kontor.dev/kontor/internal/model"
)

// toolName is what both OpenAI and Anthropic accept (their API references: "name",
// `^[a-zA-Z0-9_-]{1,64}$`).
var toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// CheckTools refuses tools whose names a provider would: one wrong name fails the
// whole request, and its error seldom says which. The error has model.CodeInvalid.
func CheckTools(tools []Tool) error {
	seen := make(map[string]bool, len(tools))
	for _, t := range tools {
		if !toolName.MatchString(t.Name) {
			return model.Errorf(model.CodeInvalid, "The tool name %q can't go to a model: it needs 1 to 64 letters, digits, - and _.", t.Name)
		}
		if seen[t.Name] {
			return model.Errorf(model.CodeInvalid, "Two tools would go to the model as %q.", t.Name)
		}
		seen[t.Name] = true
	}
	return nil
}

var callID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// CallID is the id of a call as every provider takes it: a chat that goes on with
// another provider has calls whose ids that one never made. It is the same for the
// call and its result.
func CallID(id string) string {
	if callID.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id))
	return "call_" + hex.EncodeToString(sum[:12])
}
