package calls

import (
	"context"

	"kontor.dev/kontor/internal/model"
)

// Service runs calls and knows those that ran.
type Service struct{ o Options }

// New makes a service that can run calls at once.
func New(o Options) *Service { return &Service{o: o} }

// Run runs a call and returns it settled. When ctx ends first, the call is
// cancelled. The error says that there is no call: an unknown tool
// (CodeNotFound), bad arguments (CodeInvalid, CodeTooLarge), no row (CodeStorage).
func (s *Service) Run(ctx context.Context, r Request) (model.Call, error) { return model.Call{}, nil }

// Start commits a call's row and returns it; the call goes on by itself. Errors
// are those of Run.
func (s *Service) Start(ctx context.Context, r Request) (model.Call, error) {
	return model.Call{}, nil
}

// Wait returns the call once it has settled, or as it is when ctx ends.
func (s *Service) Wait(ctx context.Context, id string) (model.Call, error) { return model.Call{}, nil }

// Cancel stops an open call for by ("you", a client's name) and returns it
// settled. A call that is over is returned as it is.
func (s *Service) Cancel(ctx context.Context, id, by string) (model.Call, error) {
	return model.Call{}, nil
}

// Get returns a call as it is now, or CodeNotFound.
func (s *Service) Get(ctx context.Context, id string) (model.Call, error) { return model.Call{}, nil }

// List returns calls, newest first, and the cursor of the next page.
func (s *Service) List(ctx context.Context, f Filter) ([]model.Call, string, error) {
	return nil, "", nil
}

// Close refuses new calls, cancels the open ones and waits until each is
// recorded, or ctx ends.
func (s *Service) Close(ctx context.Context) error { return nil }

// Registry holds the calls that are open, with their clocks. It is made before
// the service, because servers ask their questions through it.
type Registry struct{}

// NewRegistry makes an empty registry; publish must not block.
func NewRegistry(publish func(model.Event)) *Registry { return &Registry{} }

// Begin says that a server asks a person on behalf of one of the calls: their
// clocks stand still until end. asking ends with ctx, or once none of the calls
// is open any more.
func (r *Registry) Begin(ctx context.Context, callIDs []string) (asking context.Context, calls []model.Call, end func()) {
	return ctx, nil, func() {}
}
