package model

import (
	"encoding/json"
	"time"
)

// CallState is where a call stands.
type CallState string

// The states of a call. The first three are open, the others final.
const (
	CallWaitingApproval CallState = "waiting_approval"
	CallRunning         CallState = "running"
	CallWaitingInput    CallState = "waiting_input"
	CallDone            CallState = "done"
	CallFailed          CallState = "failed"
	CallCancelled       CallState = "cancelled"
	CallRejected        CallState = "rejected"
	// CallUnknown: the connection was lost after sending. Never retried by itself.
	CallUnknown CallState = "unknown"
)

// Open tells whether the call is still on its way.
func (s CallState) Open() bool {
	return s == CallWaitingApproval || s == CallRunning || s == CallWaitingInput
}

// Asker is who wants a call. Kind is one of person, token, agent, subagent,
// gateway, trigger, schedule; Label is what the person sees.
type Asker struct {
	Kind  string `json:"kind"`
	Label string `json:"label,omitempty"`
}

// Own tells whether it is the person who runs a call: by hand, or by a script of
// theirs. They are asked nothing, and nothing but a denial is audited.
func (a Asker) Own() bool { return a.Kind == "person" || a.Kind == "token" }

// Call is one tool run, whoever asked.
type Call struct {
	ID           string
	Server, Tool string
	// Arguments is the object as it was given.
	Arguments json.RawMessage
	State     CallState
	Asker     Asker
	SessionID string
	// Agent is the id of the agent that asked, empty where none did.
	Agent  string
	Result Result
	// Error says what kept the call from an answer; a tool's own error is
	// Result.IsError.
	Error              *Error
	Progress           *Progress
	StartedAt, EndedAt time.Time
	// Waited is how long of that the call waited for the person: for an approval, or
	// an answer. What it waits now is not in it yet.
	Waited time.Duration
	// Unstored says that the end could not be stored yet: it is known from memory.
	Unstored bool
}

// CallRequest is a wish to run a tool, named by Name or by Server and Tool.
type CallRequest struct {
	// ID is the call's, where its asker needs to know it before it has a row; a
	// second call of that id is a conflict. Empty has one made.
	ID string
	// Name is a full name or an alias of it.
	Name         string
	Server, Tool string
	// Arguments is a JSON object as it shall be sent; empty means {}.
	Arguments json.RawMessage
	Asker     Asker
	SessionID string
	// Agent is the id of the agent that asks, for policies.
	Agent string
	// Notes say how the arguments were mended, for whoever approves.
	Notes []string
}

// Name is the tool's full name.
func (c Call) Name() string { return ToolName(c.Server, c.Tool) }

// Progress is a server's word on how far a call is; numbers as they were sent.
type Progress struct {
	Progress json.Number `json:"progress"`
	Total    json.Number `json:"total,omitempty"`
	Message  string      `json:"message,omitempty"`
}

// ResultType tells how Result.Text is to be read.
type ResultType string

// The result types.
const (
	ResultString ResultType = "string"
	ResultJSON   ResultType = "json"
)

// Result is what a tool answered, read once from the server's bytes.
type Result struct {
	Type ResultType
	// Text is the structured content as sent (Type json), or the joined text
	// followed by Markdown links to the media (Type string).
	Text string
	// Structured is structuredContent as sent; nil when there was none.
	Structured json.RawMessage
	Content    []Content
	IsError    bool
}

// Media lists the stored files of the content, in order.
func (r Result) Media() []Media {
	var media []Media
	for _, c := range r.Content {
		if c.Media != nil {
			media = append(media, *c.Media)
		}
	}
	return media
}

// ContentKind names what a content block is.
type ContentKind string

// The content kinds. Unknown is one that Kontor doesn't know yet; it is kept raw.
const (
	ContentText     ContentKind = "text"
	ContentImage    ContentKind = "image"
	ContentAudio    ContentKind = "audio"
	ContentResource ContentKind = "resource"
	ContentLink     ContentKind = "link"
	ContentUnknown  ContentKind = "unknown"
)

// Content is one block of a result. Bytes are never in it: Media refers to them.
type Content struct {
	Kind        ContentKind     `json:"kind"`
	Text        string          `json:"text,omitempty"`
	Media       *Media          `json:"media,omitempty"`
	URI         string          `json:"uri,omitempty"`
	Name        string          `json:"name,omitempty"`
	MIMEType    string          `json:"mime_type,omitempty"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
	Raw         json.RawMessage `json:"raw,omitempty"`
	// Problem says why bytes could not be kept (too large, not base64).
	Problem string `json:"problem,omitempty"`
}

// Media is a file that holds a block's bytes, named by their hash.
type Media struct {
	File     string `json:"file"`
	URL      string `json:"url"`
	MIMEType string `json:"mime_type"`
	Size     int64  `json:"size"`
}
