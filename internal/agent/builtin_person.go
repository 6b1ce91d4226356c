package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// maxSuggestions is how many answers a person is given to choose from.
const maxSuggestions = 12

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
			if message == "" {
				return refusal("The notice is empty; nobody was told."), nil
			}
			_, err = w.t.s.o.Inbox.Post(ctx, model.Item{
				Kind: model.ItemNotification, SessionID: w.frame.SessionID, Asker: w.asker(), Message: message,
			})
			return text("The notice is in the person's inbox."), err
		},
	}
}
