package wire

import (
	"encoding/json"

	"kontor.dev/kontor/internal/model"
)

// Session is a chat, as in a list.
type Session struct {
	ID        string          `json:"id"`
	Title     string          `json:"title" doc:"Empty until it has one"`
	State     model.ChatState `json:"state" enum:"idle,running,waiting"`
	Agent     string          `json:"agent"`
	Model     string          `json:"model" doc:"Name of a model; empty for the default"`
	Waiting   int             `json:"waiting" doc:"Items of this chat that wait for the person"`
	CreatedAt Time            `json:"created_at"`
	UpdatedAt Time            `json:"updated_at"`
}

// SessionDetail is a chat with all but its messages.
type SessionDetail struct {
	Session
	TurnID  string       `json:"turn_id" doc:"The turn on its way; empty when idle"`
	Groups  []ToolGroup  `json:"groups"`
	Context Context      `json:"context"`
	Frames  []Frame      `json:"frames" doc:"The sub-agents"`
	Drafts  []Message    `json:"drafts" doc:"Messages that are being written"`
	Problem *model.Error `json:"problem,omitempty" doc:"Why no model can answer"`
}

// ToolGroup is what can be switched on for a chat.
type ToolGroup struct {
	Name        string `json:"name" doc:"A server's name, or config"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Tools       int    `json:"tools"`
	Tokens      int    `json:"tokens" doc:"What the tools cost in each request"`
	Active      bool   `json:"active"`
	State       string `json:"state" enum:"ready,connecting,failed,needs_sign_in,disabled,not_allowed"`
	Reason      string `json:"reason" doc:"Why it can't be used now"`

	Adapted []model.AdaptedTool `json:"adapted,omitempty" doc:"Tools whose schemas the chat's model takes only with changes, while the group is active"`
}

// Context is how much of a model's context a chat takes.
type Context struct {
	Used       int    `json:"used"`
	Limit      int    `json:"limit" doc:"0 when unknown"`
	Vocabulary string `json:"vocabulary" doc:"The tokenizer that prices were counted with"`
}

// Frame is a sub-agent at work.
type Frame struct {
	ID        string           `json:"id"`
	SessionID string           `json:"session_id"`
	ParentID  string           `json:"parent_id" doc:"The frame that began it"`
	UseID     string           `json:"use_id" doc:"The tool_use of its parent that began it"`
	Agent     string           `json:"agent"`
	Task      string           `json:"task"`
	Depth     int              `json:"depth"`
	State     model.FrameState `json:"state" enum:"open,done,failed,stopped"`
	CreatedAt Time             `json:"created_at"`
	EndedAt   *Time            `json:"ended_at" nullable:"true"`
}

// Message is one message of a frame.
type Message struct {
	ID        string          `json:"id"`
	SessionID string          `json:"session_id"`
	FrameID   string          `json:"frame_id"`
	Root      bool            `json:"root" doc:"It is the chat's own, not a sub-agent's"`
	TurnID    string          `json:"turn_id"`
	Role      model.ChatRole  `json:"role" enum:"user,assistant,tool,note,summary"`
	Parts     []Part          `json:"parts"`
	Model     string          `json:"model"`
	Usage     model.ChatUsage `json:"usage"`
	Finish    string          `json:"finish" doc:"Why an answer ended: stop, tools, length, filtered, paused, stopped, failed"`
	Error     *model.Error    `json:"error,omitempty"`
	CreatedAt Time            `json:"created_at"`
}

// Part is a piece of a message; which members count depends on its kind.
type Part struct {
	Kind      model.PartKind  `json:"kind" enum:"text,reasoning,tool_use,tool_result,media,resource,call,note"`
	Text      string          `json:"text,omitempty"`
	UseID     string          `json:"use_id,omitempty" doc:"Pairs a tool_use with its tool_result"`
	Name      string          `json:"name,omitempty" doc:"A tool's full name, or a built-in tool's"`
	CallID    string          `json:"call_id,omitempty" doc:"The call; it may not have begun"`
	FrameID   string          `json:"frame_id,omitempty" doc:"The sub-agent that it began"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Fault     string          `json:"fault,omitempty" doc:"Why the arguments can't be used"`
	Notes     []string        `json:"notes,omitempty" doc:"How the arguments were mended"`
	IsError   bool            `json:"is_error,omitempty"`
	Cut       *model.Cut      `json:"cut,omitempty" doc:"How much of the result the model got, in bytes"`
	Media     []model.Media   `json:"media,omitempty"`
	Server    string          `json:"server,omitempty"`
	URI       string          `json:"uri,omitempty"`
	Code      string          `json:"code,omitempty" doc:"What a note is about"`
	Switched  *model.Switched `json:"switched,omitempty" doc:"The tool groups that a note is about"`
	Until     *Time           `json:"until,omitempty" doc:"When the request that a note is about is sent again"`
}

// NewSession is the request for a chat.
type NewSession struct {
	Title string `json:"title,omitempty" maxLength:"200"`
	Agent string `json:"agent,omitempty" doc:"Left out: main"`
	Model string `json:"model,omitempty" doc:"Left out: the default"`
}

// ChangeSession changes some of a chat.
type ChangeSession struct {
	Title *string `json:"title,omitempty" maxLength:"200"`
	Agent *string `json:"agent,omitempty"`
	Model *string `json:"model,omitempty"`
}

// Sending is a message of the person.
type Sending struct {
	Text        string             `json:"text"`
	Attachments []model.Attachment `json:"attachments,omitempty"`
	Replace     string             `json:"replace,omitempty" doc:"The id of a message of yours that this one takes the place of"`
}

// Turn says which turn takes a message.
type Turn struct {
	TurnID string `json:"turn_id"`
}

// Grants are the tool groups that are on.
type Grants struct {
	Groups []string `json:"groups"`
}

// Agent is one that a chat can be with.
type Agent struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Model       string   `json:"model"`
	BuiltIn     bool     `json:"built_in" doc:"No file of the data folder takes its place"`
	Groups      []string `json:"groups" nullable:"true" doc:"The tool groups that it may use; null for all"`
	Problem     string   `json:"problem" doc:"Why its file can't be used"`
}

// SessionOf is a chat in a list.
func SessionOf(c model.ChatSession, state model.ChatState, waiting int) Session {
	return Session{ID: c.ID, Title: c.Title, State: state, Agent: c.Agent, Model: c.Model, Waiting: waiting,
		CreatedAt: At(c.CreatedAt), UpdatedAt: At(c.UpdatedAt)}
}

// SessionDetailOf is a chat.
func SessionDetailOf(v model.ChatView) SessionDetail {
	d := SessionDetail{
		Session: SessionOf(v.ChatSession, v.State, v.Waiting), TurnID: v.TurnID,
		Context: Context{Used: v.ContextUsed, Limit: v.ContextLimit, Vocabulary: v.Vocabulary},
		Groups:  []ToolGroup{}, Frames: []Frame{}, Drafts: []Message{}, Problem: v.Problem,
	}
	for _, g := range v.Groups {
		d.Groups = append(d.Groups, ToolGroup(g))
	}
	for _, f := range v.Frames {
		if f.ParentID != "" {
			d.Frames = append(d.Frames, FrameOf(f))
		}
	}
	for _, m := range v.Drafts {
		d.Drafts = append(d.Drafts, MessageOf(m))
	}
	return d
}

// FrameOf is a frame on the wire.
func FrameOf(f model.Frame) Frame {
	return Frame{ID: f.ID, SessionID: f.SessionID, ParentID: f.ParentID, UseID: f.UseID, Agent: f.Agent, Task: f.Task,
		Depth: f.Depth, State: f.State, CreatedAt: At(f.CreatedAt), EndedAt: When(f.EndedAt)}
}

// MessageOf is a message on the wire. What a provider sealed stays here.
func MessageOf(m model.ChatMessage) Message {
	out := Message{ID: m.ID, SessionID: m.SessionID, FrameID: m.FrameID, Root: m.Root, TurnID: m.TurnID, Role: m.Role,
		Parts: make([]Part, len(m.Parts)), Model: m.Model, Usage: m.Usage, Finish: m.Finish, Error: m.Error,
		CreatedAt: At(m.CreatedAt)}
	for i, p := range m.Parts {
		out.Parts[i] = Part{Kind: p.Kind, Text: p.Text, UseID: p.UseID, Name: p.Name, CallID: p.CallID,
			FrameID: p.FrameID, Arguments: p.Arguments, Fault: p.Fault, Notes: p.Notes, IsError: p.IsError, Cut: p.Cut,
			Media: p.Media, Server: p.Server, URI: p.URI, Code: p.Code, Switched: p.Switched, Until: When(p.Until)}
	}
	return out
}

// AgentOf is an agent on the wire.
func AgentOf(a model.AgentInfo) Agent { return Agent(a) }

// SessionChangedEvent tells that a chat is new, or that it moved.
type SessionChangedEvent struct {
	Head
	Type    string        `json:"type" enum:"session_changed"`
	Session SessionDetail `json:"session"`
}

// SessionRemovedEvent tells that a chat was deleted.
type SessionRemovedEvent struct {
	Head
	Type string `json:"type" enum:"session_removed"`
	ID   string `json:"id"`
}

// TurnStartedEvent tells that an agent begins to answer.
type TurnStartedEvent struct {
	Head
	Type      string `json:"type" enum:"turn_started"`
	SessionID string `json:"session_id"`
	TurnID    string `json:"turn_id"`
}

// TurnDoneEvent tells that it has ended.
type TurnDoneEvent struct {
	Head
	Type      string       `json:"type" enum:"turn_done"`
	SessionID string       `json:"session_id"`
	TurnID    string       `json:"turn_id"`
	State     string       `json:"state" enum:"done,stopped,failed,interrupted"`
	Error     *model.Error `json:"error,omitempty"`
}

// MessageDeltaEvent tells more of a message that is being written.
type MessageDeltaEvent struct {
	Head
	Type      string         `json:"type" enum:"message_delta"`
	SessionID string         `json:"session_id"`
	FrameID   string         `json:"frame_id"`
	MessageID string         `json:"message_id"`
	Part      int            `json:"part" doc:"Counts the message's parts from 0"`
	Kind      model.PartKind `json:"kind" enum:"text,reasoning,tool_use,note"`
	UseID     string         `json:"use_id,omitempty"`
	Name      string         `json:"name,omitempty"`
	Code      string         `json:"code,omitempty"`
	Until     *Time          `json:"until,omitempty"`
	Offset    int            `json:"offset" doc:"Where the text belongs, in UTF-8 bytes of what the part says so far"`
	Text      string         `json:"text" doc:"Of a tool_use: its arguments, as they are written"`
}

// MessageDoneEvent tells that a message is complete and stored.
type MessageDoneEvent struct {
	Head
	Type    string  `json:"type" enum:"message_done"`
	Message Message `json:"message"`
}

// MessagesReplacedEvent tells that the messages of a chat from one on are shown no
// more: another takes their place.
type MessagesReplacedEvent struct {
	Head
	Type      string `json:"type" enum:"messages_replaced"`
	SessionID string `json:"session_id"`
	From      string `json:"from"`
}

// FrameChangedEvent tells that a sub-agent began or ended.
type FrameChangedEvent struct {
	Head
	Type  string `json:"type" enum:"frame_changed"`
	Frame Frame  `json:"frame"`
}

// ModelsChangedEvent tells that the language models are others now.
type ModelsChangedEvent struct {
	Head
	Type string `json:"type" enum:"models_changed"`
}

// PoliciesChangedEvent tells that the rules are others now.
type PoliciesChangedEvent struct {
	Head
	Type string `json:"type" enum:"policies_changed"`
}
