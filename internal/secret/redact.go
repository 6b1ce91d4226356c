package secret

import (
	"cmp"
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
	// replacer is nil while there is nothing to mask.
	replacer atomic.Pointer[strings.Replacer]
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
	r.replacer.Store(newReplacer(r.owners))
}

// Redact returns text with every known secret masked.
func (r *Redactor) Redact(text string) string {
	if replacer := r.replacer.Load(); replacer != nil {
		return replacer.Replace(text)
	}
	return text
}

// RedactBytes is Redact for bytes; it returns text itself when there is nothing
// to mask.
func (r *Redactor) RedactBytes(text []byte) []byte {
	replacer := r.replacer.Load()
	if replacer == nil {
		return text
	}
	before := string(text)
	after := replacer.Replace(before)
	if after == before {
		return text
	}
	return []byte(after)
}

func newReplacer(owners map[string][]string) *strings.Replacer {
	known := make(map[string]bool)
	for _, values := range owners {
		for _, value := range values {
			for _, form := range forms(value) {
				known[form] = true
			}
		}
	}
	if len(known) == 0 {
		return nil
	}
	all := make([]string, 0, len(known))
	for form := range known {
		all = append(all, form)
	}
	// Replacer tries in this order: the longest first, so that a secret within a
	// secret leaves no rest.
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	pairs := make([]string, 0, 2*len(all))
	for _, form := range all {
		pairs = append(pairs, form, Mark)
	}
	return strings.NewReplacer(pairs...)
}
