package calls

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"kontor.dev/kontor/internal/model"
)

// Service runs calls and knows those that ran.
type Service struct {
	o Options
	// base ends when the service closes; every call runs under it.
	base context.Context
	stop context.CancelCauseFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

// New makes a service that can run calls at once.
func New(o Options) *Service {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	s := &Service{o: o}
	s.base, s.stop = context.WithCancelCause(context.Background())
	return s
}

// Run runs a call and returns it settled. When ctx ends first, the call is
// cancelled. The error says that there is no call: an unknown tool
// (CodeNotFound), bad arguments (CodeInvalid, CodeTooLarge), no row (CodeStorage),
// an id that has one (CodeConflict). model.ErrStopping says that the call waits for
// approval beyond this process: see Resume.
func (s *Service) Run(ctx context.Context, r Request) (model.Call, error) {
	o, _, err := s.start(ctx, r)
	if err != nil {
		return model.Call{}, err
	}
	return settled(ctx, o)
}

// settled waits for a call's end, and ends it with ctx.
func settled(ctx context.Context, o *openCall) (model.Call, error) {
	stop := context.AfterFunc(ctx, func() { o.cancel(left(ctx)) })
	defer stop()
	<-o.over.Done()
	return o.outcome()
}

// left is why a call is cancelled whose asker's ctx ended.
func left(ctx context.Context) error {
	if cause := context.Cause(ctx); model.CodeOf(cause) == model.CodeCancelled {
		return cause
	}
	return model.Errorf(model.CodeCancelled, "cancelled: who asked for it no longer waits")
}

// Start commits a call's row and returns it; the call goes on by itself. Errors
// are those of Run.
func (s *Service) Start(ctx context.Context, r Request) (model.Call, error) {
	_, call, err := s.start(ctx, r)
	return call, err
}

func (s *Service) start(ctx context.Context, r Request) (*openCall, model.Call, error) {
	arguments, err := checkArguments(r.Arguments)
	if err != nil {
		return nil, model.Call{}, err
	}
	if name, twice := repeated(arguments); twice && !r.Asker.Own() {
		return nil, model.Call{}, model.Errorf(model.CodeInvalid, "the arguments name %.100q twice: write each name once", name)
	}
	t, err := s.resolve(r)
	if err != nil {
		return nil, model.Call{}, err
	}
	if !s.enter() {
		return nil, model.Call{}, model.Errorf(model.CodeServerUnavailable, "Kontor is stopping and runs no new calls")
	}
	call := newCall(r, t, arguments)
	c, err := s.admit(ctx, &call, t, r.Notes)
	if err != nil {
		s.running.Done()
		return nil, model.Call{}, stored(err)
	}
	running, cancel := context.WithCancelCause(s.base)
	o := newOpenCall(call, s.o.Publish, cancel, s.limits(call.Server))
	if !call.State.Open() {
		s.running.Done()
		cancel(nil)
		s.o.Publish(model.CallStarted{Call: call})
		o.end(true)
		return o, call, nil
	}
	s.o.Open.add(o, call.ID)
	s.o.Publish(model.CallStarted{Call: call})
	s.begin(running, o, t, c)
	return o, call, nil
}

// begin runs a call that was counted in.
func (s *Service) begin(ctx context.Context, o *openCall, t target, c *clearance) {
	go func() {
		defer s.running.Done()
		defer o.cancel(nil)
		growStack(0)
		s.run(ctx, o, t, c)
	}()
}

// growStack takes at once the stack that a call needs. Doubled step by step, deep in
// the call, it is copied with ever more frames: a twentieth of what a call costs.
//
//go:noinline
func growStack(at int) byte {
	var room [12 << 10]byte
	return room[at]
}

// enter counts a call in, unless the service is closed.
func (s *Service) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Add(1)
	return true
}

func (s *Service) limits(server string) limits {
	// A server that was deleted meanwhile has the defaults; connecting fails.
	config, _ := s.o.Server(server)
	config = config.WithDefaults()
	return limits{idle: config.CallTimeout, whole: config.CallMax}
}

// Wait returns the call once it has settled, or as it is when ctx ends.
func (s *Service) Wait(ctx context.Context, id string) (model.Call, error) {
	o := s.o.Open.get(id)
	if o == nil {
		// Settled already: known, even when there is no time left to wait.
		return s.o.Store.Call(context.WithoutCancel(ctx), id)
	}
	select {
	case <-o.over.Done():
	case <-ctx.Done():
	}
	return o.snapshot(), nil
}

// Cancel stops an open call for by ("you", a client's name) and returns it
// settled. A call that is over is returned as it is.
func (s *Service) Cancel(ctx context.Context, id, by string) (model.Call, error) {
	if o := s.o.Open.get(id); o != nil {
		o.cancel(model.Errorf(model.CodeCancelled, "cancelled by %s", by))
	}
	return s.Wait(ctx, id)
}

// Close refuses new calls, cancels the open ones and waits until each is
// recorded, or ctx ends. Those that wait for approval stay as they are.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.stop(model.ErrStopping)
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

func stored(err error) error {
	var e *model.Error
	if errors.As(err, &e) {
		return err
	}
	return model.Errorf(model.CodeStorage, "the call can't be recorded, so it wasn't sent: %w", err)
}
