// Package scripted is a provider without a model: it plays a script. Tests use it
// to have a turn go as they want, and the demo to show a chat to somebody who has
// no key. It is deterministic: the same script and the same requests give the same
// events. It owns the script and the place where it stands, and reads of a
// conversation only what was said since its last answer.
package scripted

import (
	"encoding/json"
	"time"

	"kontor.dev/kontor/internal/llm"
)

// Script is a list of turns. A request is answered by the first turn that has not
// been played and that fits it; with none left, by End.
type Script struct {
	Turns []Turn
	// End answers what no turn is left for; empty is a sentence that says so.
	End string
	// Loop has the place follow from the conversation, so that each plays the script
	// from its beginning, also after a restart: a turn with words answers whenever it
	// fits, and what none of them fits is answered by those without words, in turn.
	Loop bool
}

// Turn is one answer.
type Turn struct {
	// When must be part of what was said since the last answer for the turn to fit,
	// whatever its case; empty fits always.
	When  string
	Steps []Step
}

// Step is a piece of an answer: Say, Think, Call, Pause, Fail or Stop.
type Step interface{ step() }

// Say says text, word by word, with Pause after each; 0 is all without waiting.
type Say struct {
	Text  string
	Pause time.Duration
}

// Think is reasoning.
type Think struct{ Text string }

// Call calls a tool. Arguments go out as they are written here, also when they
// aren't JSON; Open leaves the call without an end, as a cut answer does.
type Call struct {
	ID, Name, Arguments string
	Open                bool
}

// Pause waits, or until Until is closed when that is set.
type Pause struct {
	For   time.Duration
	Until <-chan struct{}
}

// Fail ends the answer with an error; as the first step it is a refused request.
type Fail struct{ Err error }

// Stop ends the answer. Without one it ends after the last step, with
// llm.ReasonStop or llm.ReasonTools and no usage.
type Stop struct {
	Reason llm.Reason
	Usage  llm.Usage
}

func (Say) step()   {}
func (Think) step() {}
func (Call) step()  {}
func (Pause) step() {}
func (Fail) step()  {}
func (Stop) step()  {}

// JSON is v as the arguments of a Call. It panics on what has no JSON: scripts
// are written, not received.
func JSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic("scripted: " + err.Error())
	}
	return string(b)
}
