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
				s.broadcast(wire.CallNews("call_progress", call))
				delete(held, id)
			}
		}
	}
}

// tell encodes one event. Progress is held back for the next tick, unless the
// call's state moved: that is news at once.
func (s *Server) tell(e model.Event, held map[string]model.Call) {
	switch e := e.(type) {
	case model.ServerChanged:
		s.broadcast(wire.ServerNews(e.Server, e.Status))
	case model.ServerRemoved:
		s.broadcast(wire.ServerRemovedNews(e.Name))
	case model.CatalogueChanged:
		s.broadcast(wire.CatalogueNews(e.Server))
	case model.CallStarted:
		s.broadcast(wire.CallNews("call_started", e.Call))
	case model.CallProgressed:
		if e.Call.State == model.CallRunning && e.Call.Progress != nil {
			held[e.Call.ID] = e.Call
			return
		}
		delete(held, e.Call.ID)
		s.broadcast(wire.CallNews("call_progress", e.Call))
	case model.CallEnded:
		delete(held, e.Call.ID)
		s.broadcast(wire.CallNews("call_done", e.Call))
	case model.ItemAdded:
		s.broadcast(wire.ItemAddedNews(e.Item))
	case model.ItemResolved:
		s.broadcast(wire.ItemResolvedNews(e.Item))
	case model.SettingsChanged:
		s.broadcast(wire.SettingsNews())
	case model.LogLine:
		s.topics.log(e)
	}
}

// broadcast sends an event that lacks its number.
func (s *Server) broadcast(event []byte) {
	s.o.Hub.Broadcast(func(seq uint64) []byte { return wire.Numbered(seq, event) })
}
