package policy

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"kontor.dev/kontor/internal/model"
)

// Store keeps the rules, the approvals for a chat, and the audit.
type Store interface {
	Rules(ctx context.Context) ([]model.Rule, error)
	// SetRules replaces them all, or none.
	SetRules(ctx context.Context, rules []model.Rule) error
	// SessionGrant answers CodeNotFound where there is none.
	SessionGrant(ctx context.Context, session, server, tool string) (model.SessionGrant, error)
	PutSessionGrant(ctx context.Context, g model.SessionGrant) error
	ListAudit(ctx context.Context, limit int, cursor string) (items []model.AuditEntry, next string, err error)
}

// Options are what a Service works with; all are needed.
type Options struct {
	Store Store
	// Publish gets PoliciesChanged. It must not block.
	Publish func(model.Event)
	Log     *slog.Logger
}

// Service holds the rules in memory, as they are stored.
type Service struct {
	o        Options
	changing sync.Mutex
	rules    atomic.Pointer[ruleSet] // replaced, never changed
}

// ruleSet is the rules in their order, or why they can't be read.
type ruleSet struct {
	rules []model.Rule
	// denies says that a rule does: without one a person's own run needs no look.
	denies bool
	err    error
}

// maxRules bounds what each call is held against.
const maxRules = 1000

// New makes a service. Rules that can't be read are no error here: until they can
// be, everything is asked.
func New(ctx context.Context, o Options) *Service {
	s := &Service{o: o}
	s.load(ctx)
	return s
}

func (s *Service) load(ctx context.Context) *ruleSet {
	rules, err := s.o.Store.Rules(ctx)
	if err != nil {
		s.o.Log.Error("the rules can't be read: until they can, every call is asked about", "err", err)
	}
	set := newSet(rules, err)
	s.rules.Store(set)
	return set
}

func newSet(rules []model.Rule, err error) *ruleSet {
	denies := slices.ContainsFunc(rules, func(r model.Rule) bool { return r.Action == model.PolicyDeny })
	return &ruleSet{rules: rules, denies: denies, err: err}
}

// Rules returns the rules in their order.
func (s *Service) Rules(ctx context.Context) ([]model.Rule, error) {
	set := s.rules.Load()
	if set.err != nil {
		set = s.load(ctx)
	}
	return set.rules, set.err
}

// Add puts a rule at its position, or last with -1.
func (s *Service) Add(ctx context.Context, r model.Rule) (model.Rule, error) {
	if err := validate(r); err != nil {
		return r, err
	}
	r.ID, r.CreatedAt = newID(), now()
	_, err := s.change(ctx, func(rules []model.Rule) ([]model.Rule, error) {
		if len(rules) >= maxRules {
			return nil, model.Errorf(model.CodeTooLarge, "there are %d rules already: delete one first", maxRules)
		}
		return insert(rules, r, r.Position), nil
	})
	return s.byID(r.ID), err
}

// Replace changes a rule, and moves it unless its position is -1.
func (s *Service) Replace(ctx context.Context, r model.Rule) (model.Rule, error) {
	if err := validate(r); err != nil {
		return r, err
	}
	_, err := s.change(ctx, func(rules []model.Rule) ([]model.Rule, error) {
		i, err := find(rules, r.ID)
		if err != nil {
			return nil, err
		}
		position := r.Position
		if position < 0 {
			position = i
		}
		r.CreatedAt = rules[i].CreatedAt
		return insert(slices.Delete(rules, i, i+1), r, position), nil
	})
	return s.byID(r.ID), err
}

// Delete removes a rule.
func (s *Service) Delete(ctx context.Context, id string) error {
	_, err := s.change(ctx, func(rules []model.Rule) ([]model.Rule, error) {
		i, err := find(rules, id)
		if err != nil {
			return nil, err
		}
		return slices.Delete(rules, i, i+1), nil
	})
	return err
}

// Order takes the ids of all rules, and returns them in that order. Other ids than
// there are rules are CodeConflict: the list was an old one.
func (s *Service) Order(ctx context.Context, ids []string) ([]model.Rule, error) {
	return s.change(ctx, func(rules []model.Rule) ([]model.Rule, error) {
		ordered := make([]model.Rule, 0, len(rules))
		for _, id := range ids {
			if i, err := find(rules, id); err == nil {
				ordered = append(ordered, rules[i])
				rules = slices.Delete(rules, i, i+1)
			}
		}
		if len(rules) > 0 || len(ordered) != len(ids) {
			return nil, model.Errorf(model.CodeConflict, "the rules are others by now: look at them again")
		}
		return ordered, nil
	})
}

// Audit returns a page of decisions, newest first, and the cursor of the next.
func (s *Service) Audit(ctx context.Context, limit int, cursor string) ([]model.AuditEntry, string, error) {
	return s.o.Store.ListAudit(ctx, limit, cursor)
}

// change stores what edit makes of a copy of the rules, then goes by it. Rules that
// can't be read are never written over.
func (s *Service) change(ctx context.Context, edit func([]model.Rule) ([]model.Rule, error)) ([]model.Rule, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	rules, err := s.Rules(ctx)
	if err != nil {
		return nil, err
	}
	if rules, err = edit(slices.Clone(rules)); err != nil {
		return nil, err
	}
	for i := range rules {
		rules[i].Position = i
	}
	if err := s.o.Store.SetRules(ctx, rules); err != nil {
		return nil, err
	}
	s.rules.Store(newSet(rules, nil))
	s.o.Publish(model.PoliciesChanged{})
	return rules, nil
}

// byID is a rule as it is now; empty when it isn't there.
func (s *Service) byID(id string) model.Rule {
	rules := s.rules.Load().rules
	if i, err := find(rules, id); err == nil {
		return rules[i]
	}
	return model.Rule{}
}

func insert(rules []model.Rule, r model.Rule, position int) []model.Rule {
	if position < 0 || position > len(rules) {
		position = len(rules)
	}
	return slices.Insert(rules, position, r)
}

func find(rules []model.Rule, id string) (int, error) {
	i := slices.IndexFunc(rules, func(r model.Rule) bool { return r.ID == id })
	if i < 0 {
		return 0, model.Errorf(model.CodeNotFound, "there is no rule of this id: it was deleted")
	}
	return i, nil
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// now is the time as it comes back from the store.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
