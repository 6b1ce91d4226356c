package outcome

import "kontor.dev/kontor/internal/llm/untrusted"

// Visible marks the characters that nobody can see; people read the same as models.
func Visible(s string) string { return untrusted.Visible(s) }
