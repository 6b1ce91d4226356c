package toolschema

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"kontor.dev/kontor/internal/llm/untrusted"
)

var (
	unsafeKey = regexp.MustCompile(`[^a-zA-Z0-9_.-]+`)
	// aliasKey is what an alias looks like: no name goes out so as it is, or the two
	// could meet.
	aliasKey = regexp.MustCompile(`_[0-9a-f]{16}$`)
)

// maxKey is how long a name may be, in bytes, where the provider sets no limit.
const maxKey = 256

// key is a property's name as the provider takes it. One that it refuses, or in which
// something can't be seen, goes out under an alias, with a hash of the real one: the
// model must write the name, and nobody can write what they don't see.
func (a *adapter) key(name string) string {
	takes := len(name) <= maxKey && untrusted.Visible(name) == name
	if a.rules.Keys != nil {
		takes = a.rules.Keys.MatchString(name)
	}
	if takes && !aliasKey.MatchString(name) {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	safe := unsafeKey.ReplaceAllString(name, "_")
	alias := safe[:min(len(safe), 47)] + "_" + hex.EncodeToString(sum[:8])
	a.back.name(alias, name)
	a.badge("some argument names are sent under others")
	return alias
}
