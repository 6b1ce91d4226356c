package model

import "time"

// What is told of chats, and of what they are answered by.

// ChatChanged: a chat is new, or it moved.
type ChatChanged struct{ Chat ChatView }

// ChatRemoved: a chat was deleted.
type ChatRemoved struct{ ID string }

// TurnStarted: an agent begins to answer.
type TurnStarted struct{ SessionID, TurnID string }

// TurnEnded: it has ended. State is done, stopped, failed or interrupted.
type TurnEnded struct {
	SessionID, TurnID, State string
	Error                    *Error
}

// MessageDelta is more of a message that is being written.
type MessageDelta struct {
	SessionID, FrameID, MessageID string
	// Part counts the message's parts from 0. UseID and Name are a tool_use's.
	Part        int
	Kind        PartKind
	UseID, Name string
	// Code and Until are a note's.
	Code  string
	Until time.Time
	// Offset is where Text belongs, in bytes of what the part says so far.
	Offset int
	Text   string
}

// MessageAdded: a message is complete and stored.
type MessageAdded struct{ Message ChatMessage }

// MessagesReplaced: the messages of a chat from one on are shown no more.
type MessagesReplaced struct{ SessionID, From string }

// FrameChanged: a sub-agent began or ended.
type FrameChanged struct{ Frame Frame }

// ModelsChanged: the language models are others now.
type ModelsChanged struct{}

// PoliciesChanged: the rules are others now.
type PoliciesChanged struct{}

func (ChatChanged) event()      {}
func (ChatRemoved) event()      {}
func (TurnStarted) event()      {}
func (TurnEnded) event()        {}
func (MessageDelta) event()     {}
func (MessageAdded) event()     {}
func (MessagesReplaced) event() {}
func (FrameChanged) event()     {}
func (ModelsChanged) event()    {}
func (PoliciesChanged) event()  {}
