// Package outcome writes what a model gets to read of a stranger's words: the
// result of a call, whole or cut to a budget, and a server's descriptions. All of
// it is bounded, what was left out is said, and what nobody could see is marked.
// It is pure: no I/O, the same text each time.
package outcome
