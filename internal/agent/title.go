package agent

import (
	"context"
	"strings"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

const (
	titleLimit = 20 * time.Second
	// titleExcerpt is what a title is made of, in bytes of each side.
	titleExcerpt = 2 << 10
	// titleWords is the most that a title has. A model that says more has answered.
	titleWords = 12
)

// entitle has a chat's model find a title after the first turn, in the background.
// Where that fails the first words stay. The caller holds the chat's lock.
func (s *Service) entitle(id string) {
	s.running.Go(func() {
		ctx, cancel := context.WithTimeout(s.pausing, titleLimit)
		defer cancel()
		title, err := s.title(ctx, id)
		if err != nil || title == "" {
			s.o.Log.Debug("no title was made", "chat", id, "err", err)
			return
		}
		err = s.update(ctx, id, func(c *model.ChatSession) {
			if !c.Named {
				c.Title = title
			}
		})
		if err == nil {
			s.tell(id)
		}
	})
}

// title asks the model, where the chat has had one turn and the person gave it no
// title.
func (s *Service) title(ctx context.Context, id string) (string, error) {
	chat, root, err := s.root(ctx, id)
	if err != nil || chat.Named {
		return "", err
	}
	rows, err := s.o.Store.Transcript(ctx, root.ID, "")
	if err != nil {
		return "", err
	}
	said, ok := firstExchange(rows)
	if !ok {
		return "", nil
	}
	provider, lm, err := s.o.Models.Provider(ctx, modelOf(chat, &work{agent: s.agent(chat.Agent)}))
	if err != nil || lm.Provider == model.ProviderScripted {
		return "", err
	}
	for e, err := range provider.Stream(ctx, llm.Request{
		Model: lm.Model, MaxTokens: 200, System: "You name conversations: answer with a title of two to six words, in the conversation's language, and nothing else.",
		Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{llm.Text{Text: said}}}},
	}) {
		if err != nil {
			return "", err
		}
		if f, ok := e.(llm.Finished); ok {
			return titleOf(plain(f.Message)), nil
		}
	}
	return "", nil
}

// titleOf is a title out of what a model answered: its first line, without Markdown;
// "" where that is no title.
func titleOf(answer string) string {
	bare := strings.NewReplacer("**", "", "__", "", "`", "").Replace(answer)
	line, _, _ := strings.Cut(strings.Trim(bare, "\"'*_# \n"), "\n")
	words := strings.Fields(strings.Trim(line, "\"'*_# "))
	if len(words) > titleWords {
		return ""
	}
	return shorten(strings.Join(words, " "), maxTitle/2)
}

// firstExchange is what was said in a chat of one turn.
func firstExchange(rows []model.ChatMessage) (string, bool) {
	var user, answer string
	turns := 0
	for _, m := range rows {
		switch m.Role {
		case model.RoleUser:
			if turns++; turns == 1 {
				user = textOf(m)
			}
		case model.RoleAssistant:
			answer = textOf(m)
		}
	}
	said := "The person: " + clip(user, titleExcerpt) + "\n\nThe answer: " + clip(answer, titleExcerpt)
	return said, turns == 1 && user != "" && answer != ""
}
