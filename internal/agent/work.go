package agent

import (
	"context"
	"fmt"

	"kontor.dev/kontor/internal/agent/agents"
	"kontor.dev/kontor/internal/model"
)

// maxRounds is how often the model of one frame may answer in one turn: one that goes
// in circles costs money.
const maxRounds = 50

// work is a frame that goes on within a turn.
type work struct {
	t     *turn
	frame model.Frame
	agent agents.Agent
	// compacted says that the conversation was summarised, or couldn't be, in this turn.
	compacted bool
	// read are the frame's rows as far as they were read: while a turn goes on, none
	// that is there changes or goes.
	read []model.ChatMessage
}

// run answers until the model stops. Calls of before a restart that have no result
// come first.
func (w *work) run(ctx context.Context) error {
	if err := w.resume(ctx); err != nil {
		return err
	}
	for range maxRounds {
		a, err := w.round(ctx)
		if err == nil {
			err = w.runUses(ctx, a)
		}
		if err == nil {
			err = w.halted(ctx)
		}
		if err != nil {
			return err
		}
		if len(a.uses) == 0 && !a.again {
			return nil
		}
	}
	return w.note(NoteRounds, fmt.Sprintf("The turn was ended after %d steps. Say so if it shall go on.", maxRounds))
}

// halted is why no further step may be taken, or nil.
func (w *work) halted(ctx context.Context) error {
	if w.t.s.pausing.Err() != nil {
		return model.ErrStopping
	}
	return context.Cause(ctx)
}

// rows are the frame's messages, as far as its requests need them.
func (w *work) rows(ctx context.Context) ([]model.ChatMessage, error) {
	from := ""
	if w.root() {
		chat, err := w.t.s.o.Store.Chat(ctx, w.frame.SessionID)
		if err != nil {
			return nil, err
		}
		from = chat.SummaryID
	}
	return w.t.s.o.Store.Transcript(ctx, w.frame.ID, from)
}

// readOn reads what came since: only the rows from the last answer on, for a long chat
// is megabytes.
func (w *work) readOn(ctx context.Context) (err error) {
	i := lastAnswer(w.read)
	if i < 0 {
		w.read, err = w.rows(ctx)
		return err
	}
	more, err := w.t.s.o.Store.Transcript(ctx, w.frame.ID, w.read[i].ID)
	if err == nil {
		w.read = append(w.read[:i:i], more...)
	}
	return err
}

func (w *work) root() bool { return w.frame.ParentID == "" }

// add stores a message of the frame, whatever ends meanwhile.
func (w *work) add(m model.ChatMessage) error {
	m.SessionID, m.FrameID, m.TurnID, m.Root = w.frame.SessionID, w.frame.ID, w.t.id, w.root()
	return w.t.s.add(context.Background(), m)
}

func (w *work) note(code, text string) error {
	return w.t.s.note(context.Background(), w.frame, w.t.id, code, text)
}

// asker is who asks for the frame's calls.
func (w *work) asker() model.Asker {
	if w.root() {
		return model.Asker{Kind: "agent", Label: w.agent.Name}
	}
	return model.Asker{Kind: "subagent", Label: w.agent.Name}
}
