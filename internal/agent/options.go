package agent

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"time"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/agent/search"
	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Store keeps the chats. Its writes return once committed; ids that lead nowhere are
// CodeNotFound.
type Store interface {
	InsertChat(ctx context.Context, c model.ChatSession, root model.Frame) error
	Chat(ctx context.Context, id string) (model.ChatSession, error)
	ListChats(ctx context.Context, f model.ChatFilter) (items []model.ChatSession, next string, err error)
	UpdateChat(ctx context.Context, c model.ChatSession) error
	DeleteChat(ctx context.Context, id string) error
	// OpenTurns are the chats that have a turn.
	OpenTurns(ctx context.Context) ([]model.ChatSession, error)

	InsertFrame(ctx context.Context, f model.Frame) error
	UpdateFrame(ctx context.Context, f model.Frame) error
	// Frames has the root first.
	Frames(ctx context.Context, sessionID string) ([]model.Frame, error)
	Grants(ctx context.Context, f model.Frame) ([]string, error)
	SetGrants(ctx context.Context, f model.Frame, groups []string) error

	InsertMessage(ctx context.Context, m model.ChatMessage) error
	ListMessages(ctx context.Context, f model.MessageFilter) (items []model.ChatMessage, next string, err error)
	// Transcript is oldest first, without what was replaced, from a message on.
	Transcript(ctx context.Context, frameID, from string) ([]model.ChatMessage, error)
	// ReplaceFrom replaces all later messages of the chat too, in every frame.
	ReplaceFrom(ctx context.Context, sessionID, messageID string, at time.Time) error
}

// Calls runs tools, asking the person where that is due. Run and Resume return the
// call settled; their error says that there is no call, or, when Kontor stops, that
// it waits on.
type Calls interface {
	Run(ctx context.Context, r model.CallRequest) (model.Call, error)
	Start(ctx context.Context, r model.CallRequest) (model.Call, error)
	// Resume goes on with a call that waits for an approval; one that is final is
	// returned as it is.
	Resume(ctx context.Context, id string) (model.Call, error)
	Get(ctx context.Context, id string) (model.Call, error)
}

// Inbox puts questions before the person.
type Inbox interface {
	Ask(ctx context.Context, item model.Item) (model.Answer, error)
	// Wait waits for the answer to an item of before a restart.
	Wait(ctx context.Context, id string) (model.Answer, error)
	Find(ctx context.Context, kind model.ItemKind, callID string) (model.Item, error)
	// Post doesn't wait.
	Post(ctx context.Context, item model.Item) (model.Item, error)
	Open() []model.Item
}

// Models are the language models that the person configured; "" is the default.
type Models interface {
	Provider(ctx context.Context, name string) (llm.Provider, model.LanguageModel, error)
}

// Server is a configured server and how it stands.
type Server struct {
	Config model.Server
	Status model.Status
}

// Servers are the configured servers.
type Servers interface {
	Servers() []Server
	// Reach waits until the server is connected, dialling if need be.
	Reach(ctx context.Context, name string) error
	ReadResource(ctx context.Context, server, uri string) ([]model.Content, error)
	GetPrompt(ctx context.Context, server, name string, arguments json.RawMessage) ([]PromptMessage, error)
}

// PromptMessage is a message of a rendered prompt.
type PromptMessage struct {
	Role    string
	Content model.Content
}

// Catalogue is what the servers offer.
type Catalogue interface {
	// Offered are the tools of a server that a model may be offered.
	Offered(server string) []model.Tool
	// Resolve finds a tool by its full name or alias; CodeNotFound tells near names.
	Resolve(name string) (model.Tool, error)
}

// Search finds tools by words.
type Search interface {
	Search(ctx context.Context, query string, offered []model.Tool) ([]search.Hit, error)
}

// Agents are the agents that a chat can be with.
type Agents interface {
	Get(id string) (agents.Agent, bool)
	List() []agents.Agent
}

// Media keeps files.
type Media interface {
	Put(data []byte, mimeType string) (model.Media, error)
	Open(file string) (*os.File, error)
	// Stat says what a file is; CodeNotFound for one that isn't there.
	Stat(file string) (model.Media, error)
}

// Options are what a Service works with. Log may be left out.
type Options struct {
	Store     Store
	Calls     Calls
	Inbox     Inbox
	Models    Models
	Servers   Servers
	Catalogue Catalogue
	// Config are Kontor's own tools, of the group model.GroupConfig.
	Config []model.Tool
	Search Search
	Agents Agents
	Media  Media
	// Count is how many tokens a text has, by the vocabulary of that name.
	Count      func(text string) int
	Vocabulary string
	Bus        *bus.Bus
	Log        *slog.Logger
}
