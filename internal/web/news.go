package web

import (
	"context"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

const (
	// newsBuffer is how far the encoder may be behind before the browsers must
	// read everything anew.
	newsBuffer = 4096
	// progressEvery bounds how often one call's progress is told: a server may
	// report thousands of steps a second, and one server can't hurt another.
	progressEvery = 100 * time.Millisecond
)

// Run carries the news to the browsers until ctx ends or the bus closes. Each
// event is encoded once for all of them.
func (s *Server) Run(ctx context.Context) {
	news := s.o.Bus.Subscribe(newsBuffer)
	defer news.Close()
	held := map[string]model.Call{} // the latest progress, by call
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-news.C():
			if !open {
				return
			}
			s.tell(e, held)
			if news.Missed() > 0 {
				s.o.Hub.Resync()
			}
		case <-tick.C:
			s.topics.catchUp()
			for id, call := range held {
				s.broadcast(model.CallProgressed{Call: call})
				delete(held, id)
			}
		}
	}
}

// tell passes one event on. Progress is held back for the next tick, unless the
// call's state moved: that is news at once.
func (s *Server) tell(e model.Event, held map[string]model.Call) {
	switch e := e.(type) {
	case model.LogLine:
		s.topics.log(e)
		return
	case model.CallProgressed:
		if e.Call.State == model.CallRunning && e.Call.Progress != nil {
			held[e.Call.ID] = e.Call
			return
		}
		delete(held, e.Call.ID)
	case model.CallEnded:
		delete(held, e.Call.ID)
	}
	s.broadcast(e)
}

// broadcast sends an event to all, encoded only when somebody is there.
func (s *Server) broadcast(e model.Event) {
	s.o.Hub.Broadcast(func(seq uint64) []byte {
		if news := newsOf(e); news != nil {
			return wire.Numbered(seq, news)
		}
		return nil
	})
}

// newsOf is an event as the socket carries it, without its number; nil for one that
// isn't for everybody.
func newsOf(e model.Event) []byte {
	switch e := e.(type) {
	case model.ServerChanged:
		return wire.ServerNews(e.Server, e.Status)
	case model.ServerRemoved:
		return wire.ServerRemovedNews(e.Name)
	case model.CatalogueChanged:
		return wire.CatalogueNews(e.Server)
	case model.CallStarted:
		return wire.CallNews("call_started", e.Call)
	case model.CallProgressed:
		return wire.CallNews("call_progress", e.Call)
	case model.CallEnded:
		return wire.CallNews("call_done", e.Call)
	case model.ItemAdded:
		return wire.ItemAddedNews(e.Item)
	case model.ItemResolved:
		return wire.ItemResolvedNews(e.Item)
	case model.SignInChanged:
		return wire.SignInNews(e)
	case model.SettingsChanged:
		return wire.SettingsNews()
	case model.ModelsChanged:
		return wire.ModelsNews()
	case model.PoliciesChanged:
		return wire.PoliciesNews()
	}
	return chatNews(e)
}

// chatNews is newsOf for what happens in chats.
func chatNews(e model.Event) []byte {
	switch e := e.(type) {
	case model.ChatChanged:
		return wire.SessionNews(e.Chat)
	case model.ChatRemoved:
		return wire.SessionRemovedNews(e.ID)
	case model.TurnStarted:
		return wire.TurnStartedNews(e)
	case model.TurnEnded:
		return wire.TurnDoneNews(e)
	case model.MessageDelta:
		return wire.DeltaNews(e)
	case model.MessageAdded:
		return wire.MessageNews(e.Message)
	case model.MessagesReplaced:
		return wire.ReplacedNews(e)
	case model.FrameChanged:
		return wire.FrameNews(e.Frame)
	}
	return nil
}
