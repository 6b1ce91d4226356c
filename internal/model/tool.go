package model

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"regexp"
	"strings"
	"time"
)

// Tool is one tool of one server, its schemas as the server sent them.
type Tool struct {
	Server, Name, Title, Description string
	InputSchema, OutputSchema        json.RawMessage
	Annotations                      json.RawMessage
	Icons                            json.RawMessage
	// AppOnly tools are for MCP Apps, never for a model (`_meta.ui.visibility`).
	AppOnly bool
	// TaskSupport is `execution.taskSupport`: "", "optional", "required" or "forbidden".
	TaskSupport string
	// Enabled is the person's choice.
	Enabled bool
	// Tokens is what the definition costs in a model's context, in tokens. Only lists
	// have it.
	Tokens int
	// ChangedAt is when the definition changed last; zero when it never did.
	ChangedAt time.Time
	// Change is set while the definition isn't the one that the person knows.
	Change *DefinitionChange
	// ListedAt is when the server listed it last. Saved says that this was before
	// Kontor was started: the server hasn't confirmed it since.
	ListedAt time.Time
	Saved    bool
	Warnings []Warning
}

// FullName is the tool's name to models and clients.
func (t Tool) FullName() string { return ToolName(t.Server, t.Name) }

const toolPrefix = "mcp__"

// GroupConfig is the group of Kontor's own tools that change how it is set up, and
// what stands for their server: no server can have this name.
const GroupConfig = "config"

// ToolName joins server and tool to `mcp__<server>__<tool>`. It is reversible
// because a server's name never holds `__`.
func ToolName(server, tool string) string { return toolPrefix + server + "__" + tool }

// SplitToolName undoes ToolName.
func SplitToolName(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, toolPrefix)
	if !ok {
		return "", "", false
	}
	server, tool, ok = strings.Cut(rest, "__")
	return server, tool, ok && server != "" && tool != ""
}

// An alias has maxAlias characters at most, of which the last aliasMark are a hash.
const (
	maxAlias  = 64
	aliasMark = 20
)

var (
	aliasSafe   = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	aliasForm   = regexp.MustCompile(`_[a-z2-7]{20}$`)
	aliasUnsafe = regexp.MustCompile(`[^A-Za-z0-9_-]+`)
	aliasHash   = base32.StdEncoding.WithPadding(base32.NoPadding)
)

// ToolAlias is the name that goes to models whose rules forbid the real one
// (over 64 characters, or others than letters, digits, - and _): the safe part
// of the name and a hash of all of it. It depends on nothing else, so that it is the
// same after a restart, and no two tools meet: a name that looks like an alias gets
// one, and with 100 bits of a hash no server finds a name that has another's.
func ToolAlias(name string) string {
	if aliasSafe.MatchString(name) && !aliasForm.MatchString(name) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	mark := "_" + strings.ToLower(aliasHash.EncodeToString(sum[:])[:aliasMark])
	safe := aliasUnsafe.ReplaceAllString(name, "_")
	if len(safe) > maxAlias-len(mark) {
		safe = safe[:maxAlias-len(mark)]
	}
	return safe + mark
}
