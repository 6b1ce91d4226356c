package wire

import "kontor.dev/kontor/internal/model"

// LogEntry is one line of a server's log.
type LogEntry struct {
	At   Time   `json:"at"`
	Tag  string `json:"tag" doc:"stderr, lifecycle, not_protocol or an MCP level"`
	Text string `json:"text" doc:"Secrets are masked"`
}

// LogEntryOf is a line on the wire.
func LogEntryOf(e model.LogEntry) LogEntry {
	return LogEntry{At: At(e.At), Tag: e.Tag, Text: e.Text}
}
