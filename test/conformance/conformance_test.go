//go:build conformance

package conformance

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// Both revisions run at once on one Kontor: dozens of servers, calls and questions at
// a time, so that what belongs to one can be seen to reach no other.
func TestClientScenarios(t *testing.T) {
	t.Parallel()
	k := kontor.Start(t, kontor.Options{})
	driver := fmt.Sprintf("%s -host http://%s -token %s",
		kontor.Build(t, "kontor.dev/kontor/test/conformance/driver"), k.Address, kontor.Token)
	t.Run("revisions", func(t *testing.T) {
		for _, revision := range revisions() {
			t.Run(revision, func(t *testing.T) {
				t.Parallel()
				holds(t, revision, runSuite(t, revision, driver))
			})
		}
	})
	if left := k.Servers(); len(left) != 0 {
		t.Errorf("servers are left: %v", slices.Sorted(maps.Keys(left)))
	}
	if left := k.Inbox(); left.Total != 0 {
		t.Errorf("the inbox holds %+v", left)
	}
}

// holds compares a run with what is expected of the revision.
func holds(t *testing.T, revision string, got map[string]outcome) {
	t.Helper()
	floors := expected(revision)
	if ran, want := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(floors)); !slices.Equal(ran, want) {
		t.Errorf("the scenarios are\n%q, want\n%q", ran, want)
	}
	for name, floor := range floors {
		t.Run(name, func(t *testing.T) { passes(t, got[name], floor) })
	}
}

func passes(t *testing.T, o outcome, floor int) {
	t.Helper()
	for _, c := range o.checks {
		if c.Status == "FAILURE" || c.Status == "WARNING" {
			t.Errorf("%s: %s (%s): %s: %s", c.Status, c.Name, c.ID, c.Description, c.ErrorMessage)
		}
	}
	if n := o.count("SUCCESS"); n < floor {
		t.Errorf("%d checks succeeded, want %d or more", n, floor)
	}
	if o.printed != "passed" {
		t.Errorf("the driver printed %q: %s", o.printed, o.said)
	}
}
