package model

import "time"

// LogEntry is one line of a server's log. Tag is "stderr", "lifecycle",
// "not_protocol" or an MCP level ("debug" … "emergency"). Text is redacted.
type LogEntry struct {
	At   time.Time `json:"at"`
	Tag  string    `json:"tag"`
	Text string    `json:"text"`
}
