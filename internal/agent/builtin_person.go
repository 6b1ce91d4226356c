package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/model"
)

const (
	// maxSuggestions is how many answers a person is given to choose from.
	maxSuggestions = 12
	// maxSaid is how long a question, a suggestion or a notice may be, in bytes.
	maxSaid = 8 << 10
	// maxNotices is how many notices of one chat may lie in the inbox.
	maxNotices = 20
)

func askTool() builtin {
	return builtin{
		name:        toolAsk,
		description: "Asks the person a question and waits for the answer. Suggestions are answers to choose from.",
		schema: json.RawMessage(`{"type":"object","properties":{"question":{"type":"string"},` +
			`"suggestions":{"type":"array","items":{"type":"string"}}},"required":["question"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct {
				Question    string   `json:"question"`
				Suggestions []string `json:"suggestions"`
			}](use)
			if err != nil {
				return reply{}, err
			}
			switch {
			case strings.TrimSpace(in.Question) == "":
				return refusal("The question is empty; nobody was asked."), nil
			case len(in.Suggestions) > maxSuggestions:
				return refusal(fmt.Sprintf("There are more than %d suggestions; nobody was asked.", maxSuggestions)), nil
			case len(in.Question)+len(strings.Join(in.Suggestions, "")) > maxSaid:
				return refusal(fmt.Sprintf("The question is longer than %d KiB; nobody was asked.", maxSaid>>10)), nil
			}
			answer, err := w.t.s.o.Inbox.Ask(ctx, model.Item{
				Kind: model.ItemQuestion, CallID: use.UseID, SessionID: w.frame.SessionID, Asker: w.asker(),
				Message: in.Question, Question: &model.Question{Suggestions: in.Suggestions},
			})
			return answerOf(answer), err
		},
	}
}

// answerOf is the person's answer as a model reads it.
func answerOf(a model.Answer) reply {
	switch a.Action {
	case model.ActionAccept:
		return reply{text: "The person answered: " + a.Text}
	case model.ActionDecline:
		return refusal("The person doesn't want to answer this.")
	}
	return refusal("Nobody answered.")
}

func notifyTool() builtin {
	return builtin{
		name:        toolNotify,
		description: "Puts a notice into the person's inbox, for what they should know also when they aren't here. It doesn't wait.",
		schema:      json.RawMessage(`{"type":"object","properties":{"title":{"type":"string"},"message":{"type":"string"}},"required":["title"]}`),
		run: func(ctx context.Context, w *work, use model.ChatPart) (reply, error) {
			in, err := arguments[struct {
				Title   string `json:"title"`
				Message string `json:"message"`
			}](use)
			if err != nil {
				return reply{}, err
			}
			message := strings.TrimSpace(in.Title + "\n" + in.Message)
			defer w.t.s.lock(w.frame.SessionID)() // others of the same answer are counted one by one
			switch {
			case message == "":
				return refusal("The notice is empty; nobody was told."), nil
			case len(message) > maxSaid:
				return refusal(fmt.Sprintf("The notice is longer than %d KiB; nobody was told.", maxSaid>>10)), nil
			case w.t.s.notices(w.frame.SessionID) >= maxNotices:
				return refusal(fmt.Sprintf("%d notices of this chat lie in the person's inbox already; nobody was told.", maxNotices)), nil
			}
			_, err = w.t.s.o.Inbox.Post(ctx, model.Item{
				Kind: model.ItemNotification, SessionID: w.frame.SessionID, Asker: w.asker(), Message: message,
			})
			return text("The notice is in the person's inbox."), err
		},
	}
}

// notices counts those of a chat that the person hasn't put away.
func (s *Service) notices(sessionID string) int {
	n := 0
	for _, item := range s.o.Inbox.Open() {
		if item.Kind == model.ItemNotification && item.SessionID == sessionID {
			n++
		}
	}
	return n
}
