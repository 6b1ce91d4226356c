package agent

import (
	"context"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/bus"
	"kontor.dev/kontor/internal/model"
)

// Service runs the chats.
type Service struct {
	o    Options
	news *bus.Subscription
	// pausing ends, by model.ErrStopping, when Kontor begins to stop.
	pausing context.Context
	pause   context.CancelCauseFunc
	// running counts the turns and what else goes on.
	running sync.WaitGroup

	// chats puts what happens in one chat in an order: see lock. telling puts the news
	// of how it stands in the order in which it was read.
	chats, telling stripes

	definitions definitions

	// reading has long results read one at a time: each is whole in memory then.
	reading sync.Mutex

	mu    sync.Mutex
	turns map[string]*turn // by the chat's id
}

// New makes a service; Recover comes next, Pause and Close last.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{
		o: o, turns: map[string]*turn{}, news: o.Bus.Subscribe(newsBuffer),
		chats: stripes{seed: maphash.MakeSeed()}, telling: stripes{seed: maphash.MakeSeed()},
	}
	s.pausing, s.pause = context.WithCancelCause(context.Background())
	s.running.Go(s.watch)
	return s
}

// Pause begins the end: no turn takes another step, and answers that are being
// written are left off. The calls that run are for their service to end, so it is
// closed between Pause and Close. The end of no turn is recorded: Recover finds them
// where they are.
func (s *Service) Pause() {
	s.mu.Lock()
	s.pause(model.ErrStopping)
	s.mu.Unlock()
	s.news.Close()
}

// untilPause is ctx that ends when Kontor begins to stop, too.
func (s *Service) untilPause(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(s.pausing, func() { cancel(model.ErrStopping) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// Close waits for what Pause ended, or for the end of ctx.
func (s *Service) Close(ctx context.Context) error {
	s.Pause()
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// lock holds a chat's row, its turn's begin and end, and the order of its messages.
func (s *Service) lock(id string) (unlock func()) { return s.chats.lock(id) }

func (s *Service) publish(e model.Event) { s.o.Bus.Publish(e) }

// turn is the one that is on its way in a chat, or nil.
func (s *Service) turn(id string) *turn {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turns[id]
}

// update changes a chat's row. The caller doesn't hold its lock.
func (s *Service) update(ctx context.Context, id string, edit func(*model.ChatSession)) error {
	defer s.lock(id)()
	c, err := s.o.Store.Chat(ctx, id)
	if err != nil {
		return err
	}
	edit(&c)
	return s.o.Store.UpdateChat(ctx, c)
}

// add stores a message and tells it.
func (s *Service) add(ctx context.Context, m model.ChatMessage) error {
	if m.ID == "" {
		m.ID = newID()
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = now()
	}
	if err := s.o.Store.InsertMessage(ctx, m); err != nil {
		return err
	}
	if m, ok := shown(m); ok {
		s.publish(model.MessageAdded{Message: m})
	}
	return nil
}

// newID makes an id that sorts after all before it.
func newID() string { return uuid.Must(uuid.NewV7()).String() }

func now() time.Time { return time.Now().UTC() }
