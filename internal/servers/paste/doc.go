// Package paste reads what a person pastes to add a server: an address, a command
// line, or a piece of another host's configuration, and turns it into Kontor's own
// configurations.
//
// It is pure: it starts nothing, opens no file, expands no variable and asks
// nobody. Its errors never repeat what was pasted, which may hold secrets.
package paste
