package wire

import (
	"encoding/json"
	"math"
	"time"

	"kontor.dev/kontor/internal/model"
)

// TraceEntry is one JSON-RPC message that passed between Kontor and a server.
type TraceEntry struct {
	Seq    uint64          `json:"seq" doc:"Counts a server's messages since Kontor was started, without gaps"`
	At     Time            `json:"at"`
	Dir    string          `json:"dir" enum:"in,out" doc:"in is from the server"`
	Kind   string          `json:"kind" enum:"request,response,notification,invalid,unanswered" doc:"unanswered ends a request of ours that no answer came to: body says why, in words"`
	Method string          `json:"method" doc:"Of a response, that of what it answers; empty when nobody asked"`
	ID     json.RawMessage `json:"id" doc:"As sent; null when there is none"`
	Bytes  int             `json:"bytes" doc:"Of the whole message"`
	MS     *float64        `json:"ms" nullable:"true" doc:"Between a request and its answer; null until there is one"`
	Pair   *uint64         `json:"pair" nullable:"true" doc:"seq of the answer to a request, and of the request that a response answers"`
	CallID string          `json:"call_id" doc:"The call that it belongs to; empty when unknown"`
	Body   string          `json:"body" doc:"The message's text. Secrets are masked, and what a person answered is left out"`
	Cut    bool            `json:"cut" doc:"The body ends before the message does"`
}

// TraceEntryOf is a message on the wire.
func TraceEntryOf(e model.TraceEntry) TraceEntry {
	out := TraceEntry{
		Seq: e.Seq, At: At(e.At), Dir: e.Dir, Kind: e.Kind, Method: e.Method,
		Bytes: e.Bytes, CallID: e.CallID, Body: e.Body, Cut: e.Cut,
	}
	if id := json.RawMessage(e.ID); json.Valid(id) { // one that was too long is cut
		out.ID = id
	}
	if e.Pair != 0 {
		ms := math.Round(float64(e.Took)/float64(time.Millisecond)*100) / 100
		out.Pair, out.MS = &e.Pair, &ms
	}
	return out
}

// Trace are the latest messages of a server, oldest first.
type Trace struct {
	Items   []TraceEntry `json:"items"`
	Next    *string      `json:"next" nullable:"true"`
	Dropped uint64       `json:"dropped" doc:"Older messages that are kept no more"`
}

// TraceLine is a message of a server, for those who subscribed to its trace. It has
// no number of the stream's own and is not sent again. The request that it answers
// was told without its pair.
type TraceLine struct {
	Type   string     `json:"type" enum:"trace_line"`
	Server string     `json:"server"`
	Line   TraceEntry `json:"line"`
}

// TraceMissed tells that messages came faster than this client takes them: some
// were left out, and the trace has to be read again.
type TraceMissed struct {
	Type   string `json:"type" enum:"trace_missed"`
	Server string `json:"server"`
}

// TraceNews is a TraceLine, whole: it has no number.
func TraceNews(server string, e model.TraceEntry) []byte {
	return appendJSON(nil, TraceLine{Type: "trace_line", Server: server, Line: TraceEntryOf(e)})
}

// TraceMissedNews is a TraceMissed, whole.
func TraceMissedNews(server string) []byte {
	return appendJSON(nil, TraceMissed{Type: "trace_missed", Server: server})
}
