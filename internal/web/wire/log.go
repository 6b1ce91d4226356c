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

// Logs are the last lines of a server's log, oldest first.
type Logs struct {
	Items   []LogEntry `json:"items"`
	Next    *string    `json:"next" nullable:"true"`
	Dropped int        `json:"dropped" doc:"Older lines that are in the file only"`
}

// LogsOf makes the page.
func LogsOf(lines []model.LogEntry, dropped int) Logs {
	logs := Logs{Items: make([]LogEntry, len(lines)), Dropped: dropped}
	for i, l := range lines {
		logs.Items[i] = LogEntryOf(l)
	}
	return logs
}
