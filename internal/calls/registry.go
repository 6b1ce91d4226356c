package calls

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"kontor.dev/kontor/internal/model"
)

// errCallOver ends a question once no call waits for its answer.
var errCallOver = errors.New("call ended")

// Registry holds the calls that are open, with their clocks. It is made before
// the service, because servers ask their questions through it.
type Registry struct {
	publish func(model.Event)

	mu   sync.RWMutex
	open map[string]*openCall
}

// NewRegistry makes an empty registry. publish must not block.
func NewRegistry(publish func(model.Event)) *Registry {
	return &Registry{publish: publish, open: map[string]*openCall{}}
}

// Begin says that a server asks a person on behalf of one of the calls: their
// clocks stand still until end. asking ends with ctx, with end, or once none of
// the calls is open any more. Without a call that is open it ends with ctx.
func (r *Registry) Begin(ctx context.Context, callIDs []string) (asking context.Context, calls []model.Call, end func()) {
	asking, cancel := context.WithCancelCause(ctx)
	var waiting []*openCall
	for _, id := range callIDs {
		if o := r.get(id); o != nil {
			waiting = append(waiting, o)
		}
	}
	left := new(atomic.Int64)
	left.Store(int64(len(waiting)))
	for _, o := range waiting {
		calls = append(calls, o.asked())
		context.AfterFunc(o.over, func() {
			if left.Add(-1) == 0 {
				cancel(errCallOver)
			}
		})
	}
	return asking, calls, sync.OnceFunc(func() {
		for _, o := range waiting {
			o.answered()
		}
		cancel(nil)
	})
}

func (r *Registry) get(id string) *openCall {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.open[id]
}

func (r *Registry) add(o *openCall, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[id] = o
}

// addOnce is add, unless the call is there already: then it returns that one.
func (r *Registry) addOnce(o *openCall) (have *openCall, added bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if have := r.open[o.id]; have != nil {
		return have, false
	}
	r.open[o.id] = o
	return o, true
}

func (r *Registry) remove(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.open, id)
}

// all returns the open calls.
func (r *Registry) all() []*openCall {
	r.mu.RLock()
	defer r.mu.RUnlock()
	out := make([]*openCall, 0, len(r.open))
	for _, o := range r.open {
		out = append(out, o)
	}
	return out
}

// list returns the open calls that pass f, newest first.
func (r *Registry) list(f Filter) []model.Call {
	var out []model.Call
	for _, o := range r.all() {
		if c := o.snapshot(); matches(f, c) {
			out = append(out, c)
		}
	}
	slices.SortFunc(out, func(a, b model.Call) int { return strings.Compare(b.ID, a.ID) })
	return out
}

func matches(f Filter, c model.Call) bool {
	return (f.Server == "" || f.Server == c.Server) &&
		(f.Tool == "" || f.Tool == c.Tool) &&
		(f.State == "" || f.State == c.State) &&
		(f.SessionID == "" || f.SessionID == c.SessionID)
}
