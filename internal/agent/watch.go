package agent

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// newsBuffer is how far watch may be behind.
const newsBuffer = 256

// watch tells that a chat began or ceased to wait for the person, until Pause.
func (s *Service) watch() {
	for e := range s.news.C() {
		switch e := e.(type) {
		case model.ItemAdded:
			s.tellTurn(e.Item.SessionID)
		case model.ItemResolved:
			s.tellTurn(e.Item.SessionID)
		}
		if s.news.Missed() > 0 {
			for _, id := range s.busy() {
				s.tellTurn(id)
			}
		}
	}
}

// tellTurn tells how a chat stands that has a turn.
func (s *Service) tellTurn(id string) {
	if id != "" && s.turn(id) != nil {
		s.tell(id)
	}
}

// busy are the chats with a turn.
func (s *Service) busy() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []string
	for id := range s.turns {
		ids = append(ids, id)
	}
	return ids
}

// waiting counts what waits for the person, by chat.
func (s *Service) waiting() map[string]int {
	count := map[string]int{}
	for _, item := range s.o.Inbox.Open() {
		if item.SessionID != "" && item.Kind != model.ItemNotification && item.Kind != model.ItemFinding {
			count[item.SessionID]++
		}
	}
	return count
}

// moved tells that a chat is another now, and returns it. How it stood before is never
// told after how it stands.
func (s *Service) moved(ctx context.Context, id string) (model.ChatView, error) {
	defer s.telling.lock(id)()
	v, err := s.Get(ctx, id)
	if err == nil {
		s.publish(model.ChatChanged{Chat: v})
	}
	return v, err
}

// tell is moved for those who can do nothing about an error.
func (s *Service) tell(id string) {
	if _, err := s.moved(context.Background(), id); err != nil && model.CodeOf(err) != model.CodeNotFound {
		s.o.Log.Error("a chat's state can't be told", "chat", id, "err", err)
	}
}
