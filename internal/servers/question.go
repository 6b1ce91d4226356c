package servers

import (
	"encoding/json"
	"fmt"
	"sync"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
)

// What a server may put before the person. More is no question but a load: it
// would be stored, sent to every browser and drawn.
const (
	maxQuestionText   = 16 << 10
	maxQuestionSchema = 256 << 10
	maxQuestionFields = 512
	maxQuestionURL    = 8 << 10
	maxQuestionID     = 1 << 10
	// maxOpenQuestions is how many of one server's wait at a time.
	maxOpenQuestions = 32
)

const (
	warnQuestionRefused  = "question_refused"
	warnTooManyQuestions = "too_many_questions"
)

// bounded cuts a message that is too long and says so in its place. What can't
// be cut without changing what is asked is refused.
func bounded(q client.Question) (client.Question, error) {
	fields := 0
	wire.Members(wire.Member(q.Schema, "properties"), func(string, json.RawMessage) { fields++ })
	switch {
	case len(q.Schema) > maxQuestionSchema:
		return q, refused("a form of %d KiB is over the limit of %d KiB", len(q.Schema)>>10, maxQuestionSchema>>10)
	case fields > maxQuestionFields:
		return q, refused("a form of %d fields is over the limit of %d", fields, maxQuestionFields)
	case len(q.URL) > maxQuestionURL:
		return q, refused("an address of %d bytes is over the limit of %d", len(q.URL), maxQuestionURL)
	case len(q.ElicitationID) > maxQuestionID:
		return q, refused("an elicitationId of %d bytes is over the limit of %d", len(q.ElicitationID), maxQuestionID)
	}
	if len(q.Message) > maxQuestionText {
		kept := runeStart(q.Message, maxQuestionText)
		q.Message = fmt.Sprintf("%s… (%d more bytes cut)", q.Message[:kept], len(q.Message)-kept)
	}
	return q, nil
}

func refused(format string, args ...any) error {
	return &client.RefusedError{Reason: fmt.Sprintf(format, args...)}
}

// openQuestions counts those of one server that wait for a person.
type openQuestions struct {
	mu            sync.Mutex
	open, refused int
}

// enter counts a question in, if there is room. first says that it is the first
// one refused since there was room.
func (o *openQuestions) enter() (ok, first bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.open >= maxOpenQuestions {
		o.refused++
		return false, o.refused == 1
	}
	o.open++
	return true, false
}

// leave counts a question out and returns how many found no room meanwhile.
func (o *openQuestions) leave() (refused int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.open--
	refused, o.refused = o.refused, 0
	return refused
}

// some tells whether any waits.
func (o *openQuestions) some() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.open > 0
}

// admit checks a question before the person sees it; leave is to be called when
// it has ended.
func (o *owner) admit(q client.Question) (_ client.Question, leave func(), _ error) {
	q, err := bounded(q)
	if err != nil {
		o.note(wire.Note{Kind: wire.NoteLifecycle, Code: warnQuestionRefused,
			Text: "a question of the server was declined: " + err.Error()})
		return q, nil, err
	}
	ok, first := o.asking.enter()
	if first {
		o.note(wire.Note{Kind: wire.NoteLifecycle, Code: warnTooManyQuestions,
			Text: fmt.Sprintf("%d questions of the server wait for an answer already; further ones are refused", maxOpenQuestions)})
	}
	if !ok {
		return q, nil, refused("too many open questions: %d wait for the person already", maxOpenQuestions)
	}
	return q, func() {
		if n := o.asking.leave(); n > 1 {
			o.note(wire.Note{Kind: wire.NoteLifecycle,
				Text: fmt.Sprintf("%d questions of the server were refused because %d waited already", n, maxOpenQuestions)})
		}
	}, nil
}
