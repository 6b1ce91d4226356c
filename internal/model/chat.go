package model

import (
	"encoding/json"
	"time"
)

// ChatState is where a chat stands.
type ChatState string

// The states of a chat. Waiting is a turn that goes on once the person has answered.
const (
	ChatIdle    ChatState = "idle"
	ChatRunning ChatState = "running"
	ChatWaiting ChatState = "waiting"
)

// ChatSession is one chat as it is kept.
type ChatSession struct {
	ID, Title string
	// Named says that the person gave the title: no model changes it.
	Named bool
	// Agent is an agent's id, Model a language model's name, empty for the default.
	Agent, Model string
	// TurnID is the turn that is on its way; empty when the chat is idle.
	TurnID string
	// ContextUsed is what the last request held, in tokens.
	ContextUsed int
	// ElidedBefore is the id of the first message whose large results still go to
	// the model whole; SummaryID the summary that stands for what came before it.
	ElidedBefore, SummaryID string
	CreatedAt, UpdatedAt    time.Time
}

// FrameState is where a frame stands.
type FrameState string

// The states of a frame. A chat's root frame stays open.
const (
	FrameOpen    FrameState = "open"
	FrameDone    FrameState = "done"
	FrameFailed  FrameState = "failed"
	FrameStopped FrameState = "stopped"
)

// Frame is one agent at work in a chat: the root, or a sub-agent with a task.
type Frame struct {
	ID, SessionID string
	// ParentID is empty for the root; UseID is the parent's call that began it.
	ParentID, UseID string
	Agent, Task     string
	// Depth is 0 for the root.
	Depth              int
	State              FrameState
	CreatedAt, EndedAt time.Time
}

// ChatRole is who a message is from.
type ChatRole string

// The roles of a message. A tool message holds one result; a note is Kontor's word
// to the person; a summary stands for what came before it.
const (
	RoleUser      ChatRole = "user"
	RoleAssistant ChatRole = "assistant"
	RoleTool      ChatRole = "tool"
	RoleNote      ChatRole = "note"
	RoleSummary   ChatRole = "summary"
)

// ChatMessage is one message of a frame. Ids sort by time.
type ChatMessage struct {
	ID, SessionID, FrameID, TurnID string
	// Root says that the frame is the chat's own.
	Root  bool
	Role  ChatRole
	Parts []ChatPart
	// Model, Usage and Finish are an assistant's: which language model, at what
	// price, and why it ended (an llm.Reason, or stopped, failed).
	Model  string
	Usage  ChatUsage
	Finish string
	// Error is what ended an answer early.
	Error     *Error
	CreatedAt time.Time
	// ReplacedAt is set once the person has sent another in its place: it and what
	// followed are kept and shown no more.
	ReplacedAt time.Time
}

// ChatUsage is what an answer cost, in tokens; all zero when unknown.
type ChatUsage struct {
	Input     int `json:"input"`
	CacheRead int `json:"cache_read"`
	Output    int `json:"output"`
}

// PartKind names what a part of a message is.
type PartKind string

// The kinds of parts.
const (
	PartText      PartKind = "text"
	PartReasoning PartKind = "reasoning"
	// PartToolUse is a model's wish to run a tool, PartToolResult what it got.
	PartToolUse    PartKind = "tool_use"
	PartToolResult PartKind = "tool_result"
	// PartMedia is a file that the person attached, PartResource a resource of a
	// server as it was read then, PartCall a tool that the person ran.
	PartMedia    PartKind = "media"
	PartResource PartKind = "resource"
	PartCall     PartKind = "call"
	// PartNote is Kontor's word; Code says of what.
	PartNote PartKind = "note"
)

// ChatPart is a piece of a message; which fields count depends on its kind.
type ChatPart struct {
	Kind PartKind `json:"kind"`
	Text string   `json:"text,omitempty"`
	// Signature and Redacted are a reasoning's (see llm.Reasoning).
	Signature string `json:"signature,omitempty"`
	Redacted  bool   `json:"redacted,omitempty"`
	// UseID pairs a tool_use with its tool_result; of ask_user it is the CallID of the
	// question's item. Name is the tool's full name, or a built-in tool's. CallID is
	// the call's, of a server's or a config tool: chosen before the call has a row.
	// FrameID is the sub-agent's that it began.
	UseID     string          `json:"use_id,omitempty"`
	Name      string          `json:"name,omitempty"`
	CallID    string          `json:"call_id,omitempty"`
	FrameID   string          `json:"frame_id,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Fault says why the arguments can't be used: the call isn't run.
	Fault string `json:"fault,omitempty"`
	// Notes say how the arguments were mended.
	Notes   []string `json:"notes,omitempty"`
	IsError bool     `json:"is_error,omitempty"`
	// Cut says how much of a result the model got, in bytes.
	Cut *Cut `json:"cut,omitempty"`
	// Media are the files of a tool_result that the model saw, or the one attached.
	Media  []Media `json:"media,omitempty"`
	Server string  `json:"server,omitempty"`
	URI    string  `json:"uri,omitempty"`
	// Code says what a note is about. Switched are the groups of a NoteGroups; Until is
	// when a request of a NoteRetrying is sent again.
	Code     string    `json:"code,omitempty"`
	Switched *Switched `json:"switched,omitempty"`
	Until    time.Time `json:"until,omitzero"`
}

// Switched names the tool groups that the person switched in one go.
type Switched struct {
	On  []string `json:"on,omitempty"`
	Off []string `json:"off,omitempty"`
}

// Cut says how much of something is shown, in bytes.
type Cut struct {
	Total int `json:"total"`
	Shown int `json:"shown"`
}

// ToolGroup is what can be switched on for a chat: the tools of a server, or
// "config". The same set is listed, searched and callable.
type ToolGroup struct {
	Name, Title, Description string
	// Tools is how many tools it offers, Tokens what they cost in each request.
	Tools, Tokens int
	Active        bool
	// State is ready, or why it can't be used now: connecting, failed,
	// needs_sign_in, disabled, not_allowed. Reason says it in words.
	State, Reason string
	// Adapted are its tools whose schemas the chat's model takes only with changes,
	// while it is active.
	Adapted []AdaptedTool
}

// AdaptedTool says in a few words each what was changed in a tool's schema for a model.
type AdaptedTool struct {
	Tool    string   `json:"tool"`
	Changes []string `json:"changes"`
}

// ChatView is a chat as the person sees it.
type ChatView struct {
	ChatSession
	State ChatState
	// Waiting is how many items of this chat wait for the person.
	Waiting      int
	Groups       []ToolGroup
	ContextLimit int
	// Vocabulary names the tokenizer that prices were counted with.
	Vocabulary string
	Frames     []Frame
	// Drafts are the messages that are being written, at most one for each frame.
	Drafts []ChatMessage
	// Problem says why no model can answer; nil when one can.
	Problem *Error
}

// ChatChange is what the person changes about a chat; nil leaves a field as it is.
type ChatChange struct {
	Title, Agent, Model *string
}

// Sending is a message of the person.
type Sending struct {
	Text        string
	Attachments []Attachment
	// Replace is the id of a message of theirs that this one takes the place of.
	Replace string
}

// Attachment is something that goes with a message: a media file by its name, a
// resource, or a prompt, which is rendered before it is sent.
type Attachment struct {
	Kind      string            `json:"kind" enum:"media,resource,prompt"`
	File      string            `json:"file,omitempty" doc:"media: what POST media answered"`
	Name      string            `json:"name,omitempty" doc:"media: the file's own name; prompt: the prompt's"`
	Server    string            `json:"server,omitempty"`
	URI       string            `json:"uri,omitempty"`
	Arguments map[string]string `json:"arguments,omitempty" doc:"prompt"`
}

// ChatFilter chooses chats of a list, the latest first.
type ChatFilter struct {
	// Query finds chats by their title and by what was said.
	Query  string
	Limit  int
	Cursor string
}

// MessageFilter chooses messages of a frame (the root with ""), the latest first.
type MessageFilter struct {
	SessionID, FrameID string
	Limit              int
	Cursor             string
}

// AgentInfo is one of the agents that a chat can be with.
type AgentInfo struct {
	ID, Name, Description, Model string
	// BuiltIn says that no file of the data folder takes its place.
	BuiltIn bool
	// Groups are the tool groups that it may use; nil for all.
	Groups []string
	// Problem says why its file can't be used.
	Problem string
}
