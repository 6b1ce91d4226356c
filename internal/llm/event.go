package llm

import "time"

// Event is a piece of an answer: TextDelta, ReasoningDelta, ToolCallStarted,
// ToolCallDelta, ToolCallDone, Retrying or Finished.
type Event interface{ event() }

// TextDelta is more of the answer's text.
type TextDelta struct{ Text string }

// ReasoningDelta is more of what the model thinks aloud.
type ReasoningDelta struct{ Text string }

// ToolCallStarted says that the model began to write a call. Index counts the
// calls of the answer from 0, in the order in which they began.
type ToolCallStarted struct {
	Index    int
	ID, Name string
}

// ToolCallDelta is more of a call's arguments, as text to show. Only ToolCallDone
// has what to run.
type ToolCallDelta struct {
	Index int
	Text  string
}

// ToolCallDone is a call, complete. It comes as soon as the provider says so and
// at the latest before Finished; a call whose stream was cut never has one.
type ToolCallDone struct {
	Index int
	Call  ToolCall
}

// Retrying says that the request was refused and will be sent again. It comes
// before anything else of an answer.
type Retrying struct {
	// Attempt counts what was sent so far, from 1.
	Attempt int
	Wait    time.Duration
	Err     error
}

// Finished is the last event of an answer.
type Finished struct {
	Reason Reason
	Usage  Usage
	// Message is the whole answer, to be put into the next request.
	Message Message
}

func (TextDelta) event()       {}
func (ReasoningDelta) event()  {}
func (ToolCallStarted) event() {}
func (ToolCallDelta) event()   {}
func (ToolCallDone) event()    {}
func (Retrying) event()        {}
func (Finished) event()        {}

// Reason is why a model stopped.
type Reason string

// The reasons. An answer with calls is always ReasonTools unless it was cut by a
// limit, whatever the provider called it.
const (
	// ReasonStop is the end of what the model wanted to say.
	ReasonStop Reason = "stop"
	// ReasonTools is an answer that asks for tools.
	ReasonTools Reason = "tools"
	// ReasonLength is an answer cut at MaxTokens or at the end of the context.
	ReasonLength Reason = "length"
	// ReasonFiltered is an answer that the provider or the model refused to give.
	ReasonFiltered Reason = "filtered"
	// ReasonPaused asks for the same conversation again, with this answer added.
	ReasonPaused Reason = "paused"
)

// Usage is what an answer cost, in tokens. All zero where the provider said
// nothing (Known is false): then it is for the caller to estimate.
type Usage struct {
	Known bool
	// Input is everything that was read, cached or not.
	Input int
	// CacheRead and CacheWrite are the parts of Input that came from the
	// provider's cache and went into it.
	CacheRead, CacheWrite int
	Output                int
}
