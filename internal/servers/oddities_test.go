package servers

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

func TestOdditiesOfAConnectionAreOnItsPage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(*fakeClient) {})
		r.redactor.Set("x", []string{"hush-hush"})
		for range 3 {
			c.o.Handlers.Note(wire.Note{Kind: wire.NoteNotProtocol, Text: "debug: called"})
			c.o.Handlers.Note(wire.Note{Kind: wire.NoteLifecycle, Code: "moved", Text: "it moved to hush-hush"})
		}
		time.Sleep(time.Second)
		want := []model.Warning{
			{Code: "moved", Message: "it moved to •••"},
			{Code: "stdout_noise", Message: "3 lines on stdout were no MCP messages; they were skipped and are in the log"},
		}
		odd := func() []model.Warning { // without those of the lists
			return slices.DeleteFunc(slices.Clone(r.state(t, "a").Warnings), func(w model.Warning) bool { return w.Code == "seen" })
		}
		if got := odd(); !slices.Equal(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if _, err := r.Reconnect("a"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if got := odd(); len(got) != 0 {
			t.Errorf("the next connection has %+v", got)
		}
	})
}
