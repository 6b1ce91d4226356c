// Package search finds tools by words. It finds among the tools that it is handed
// and no others, so that nothing is found that can't be called; the words of the
// tools are indexed when a search finds them changed.
package search
