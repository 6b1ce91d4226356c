package secret

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Mark is what stands in a text where a secret was.
const Mark = "[redacted]"

// Redactor masks known secrets in text, in the forms that programs write them
// in. Shorter values than 8 characters are left: masking them would garble
// every text and hide little. It is safe for concurrent use; the zero value
// knows no secret.
type Redactor struct {
	mu     sync.Mutex
	owners map[string][]string
	// known is nil while there is nothing to mask.
	known atomic.Pointer[known]
}

// known is what is masked at one time.
type known struct {
	filter   *filter
	replacer *strings.Replacer
}

// redact returns text with the known secrets masked; a nil known has none.
func (k *known) redact(text string) string {
	if k == nil || !k.filter.may(text) {
		return text
	}
	return k.replacer.Replace(text)
}

// Set makes values the secrets of owner, in the place of those it had; none
// takes it off. A value that several owners have is masked until the last one
// lets go of it.
func (r *Redactor) Set(owner string, values []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.owners == nil {
		r.owners = make(map[string][]string)
	}
	if slices.Equal(r.owners[owner], values) {
		return
	}
	if len(values) == 0 {
		delete(r.owners, owner)
	} else {
		r.owners[owner] = slices.Clone(values)
	}
	r.known.Store(newKnown(r.owners))
}

// Redact returns text with every known secret masked.
func (r *Redactor) Redact(text string) string { return r.known.Load().redact(text) }

// RedactBytes is Redact for bytes; it returns text itself when there is nothing
// to mask.
func (r *Redactor) RedactBytes(text []byte) []byte {
	known := r.known.Load()
	if known == nil {
		return text
	}
	before := string(text)
	after := known.redact(before)
	if after == before {
		return text
	}
	return []byte(after)
}

func newKnown(owners map[string][]string) *known {
	set := make(map[string]bool)
	for _, values := range owners {
		for _, value := range values {
			for _, form := range forms(value) {
				set[form] = true
			}
		}
	}
	if len(set) == 0 {
		return nil
	}
	// Replacer tries in this order: the longest first, so that a secret within a
	// secret leaves no rest.
	words := slices.SortedFunc(maps.Keys(set), func(a, b string) int {
		return cmp.Or(len(b)-len(a), strings.Compare(a, b))
	})
	pairs := make([]string, 0, 2*len(words))
	for _, word := range words {
		pairs = append(pairs, word, Mark)
	}
	return &known{filter: newFilter(words), replacer: strings.NewReplacer(pairs...)}
}
