package store_test

import (
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

func saved(server string) model.SavedCatalogue {
	return model.SavedCatalogue{Server: server, Fingerprint: [32]byte{1, 2, 3}, Era: "legacy", SSE: true, ProtocolVersion: "2024-11-05",
		ServerName: "fake", ServerVersion: "1", Instructions: "be nice", ListedAt: start,
		Lists: map[model.ListKind][]json.RawMessage{
			// White space, numbers and order are kept.
			model.ListTools: {json.RawMessage(`{"name" : "a","n":1.10}`), json.RawMessage(`{"name":"b","big":9007199254740993}`)}, model.ListResources: {},
			model.ListTemplates: {}, model.ListPrompts: {json.RawMessage(`{"name":"p"}`)},
		}}
}

// withServers opens a database that has servers of these names.
func withServers(t *testing.T, names ...string) *store.Store {
	t.Helper()
	s := storetest.New(t)
	for _, name := range names {
		if err := s.InsertServer(t.Context(), stdioServer(name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestACatalogueComesBackAsItWasSaved(t *testing.T) {
	t.Parallel()
	s := withServers(t, "a")
	want := saved("a")
	for range 2 {
		if err := s.SaveCatalogue(t.Context(), want); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Catalogues(t.Context()); err != nil || !reflect.DeepEqual(got, map[string]model.SavedCatalogue{"a": want}) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}

	part := saved("a")
	part.Fingerprint, part.Era = [32]byte{9}, "modern"
	part.Lists = map[model.ListKind][]json.RawMessage{model.ListTools: {}}
	if err := s.SaveCatalogue(t.Context(), part); err != nil {
		t.Fatal(err)
	}
	later := start.Add(time.Hour)
	if err := s.TouchCatalogue(t.Context(), "a", later); err != nil {
		t.Fatal(err)
	}
	want.Fingerprint, want.Era, want.Lists[model.ListTools], want.ListedAt = part.Fingerprint, "modern", part.Lists[model.ListTools], later
	if got, err := s.Catalogues(t.Context()); err != nil || !reflect.DeepEqual(got["a"], want) {
		t.Errorf("after a part: got %+v, %v\nwant %+v", got["a"], err, want)
	}
}

func TestWhatIsSavedOfAServerGoesWithIt(t *testing.T) {
	t.Parallel()
	s := withServers(t, "a")
	pin := model.ToolPin{Server: "a", Tool: "t", Definition: json.RawMessage(`{}`), PinnedAt: start}
	save := func() {
		t.Helper()
		if err := s.SaveCatalogue(t.Context(), saved("a")); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveToolPins(t.Context(), "a", []model.ToolPin{pin}, nil); err != nil {
			t.Fatal(err)
		}
	}
	save()
	if err := s.DeleteServer(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	save() // by one who didn't hear of it in time
	catalogues, err := s.Catalogues(t.Context())
	pins, pinErr := s.ToolPins(t.Context())
	if err != nil || pinErr != nil || len(catalogues) > 0 || len(pins) > 0 {
		t.Errorf("left: %v, %v; %v, %v", catalogues, err, pins, pinErr)
	}
}

func TestAFingerprintIsSealedAndMovesToTheNextKey(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	s, _ := openKeyed(t, path, "A")
	if err := s.InsertServer(t.Context(), model.Server{Name: "a", Transport: model.TransportHTTP}); err != nil {
		t.Fatal(err)
	}
	c := saved("a")
	c.Fingerprint = [32]byte([]byte("a fingerprint of thirty-two byte"))
	if err := s.SaveCatalogue(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := s.Backup(t.Context(), path+".copy"); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(read(t, path+".copy")), string(c.Fingerprint[:])) {
		t.Error("the fingerprint lies in the file in clear")
	}
	if err := s.Rekey(t.Context(), keyed("B")); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Catalogues(t.Context()); err != nil || got["a"].Fingerprint != c.Fingerprint {
		t.Errorf("after the change of the key: %+v, %v", got["a"], err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	// With another key it is as if nothing were saved, and in nobody's way.
	s, state := openKeyed(t, path, "C")
	got, err := s.Catalogues(t.Context())
	names, namesErr := s.UnreadableSecrets(t.Context())
	if err != nil || namesErr != nil || len(got) > 0 || len(names) > 0 || state.Sealed {
		t.Errorf("with another key: %v, %v; unreadable %v, %v; sealed %v", got, err, names, namesErr, state.Sealed)
	}
	if err := s.Rekey(t.Context(), keyed("D")); err != nil {
		t.Errorf("it stops a change of the key: %v", err)
	}
}

func TestToolPinsAreKeptReplacedAndDropped(t *testing.T) {
	t.Parallel()
	s := withServers(t, "a", "b")
	pin := func(server, tool string) model.ToolPin {
		return model.ToolPin{Server: server, Tool: tool, Definition: json.RawMessage(`{"title":"1"}`), PinnedAt: start}
	}
	changed := pin("a", "x")
	changed.Changed, changed.ChangedAt = json.RawMessage(`{"title":"2"}`), start.Add(time.Hour)
	for _, c := range []struct {
		server string
		keep   []model.ToolPin
		drop   []string
	}{
		{"a", []model.ToolPin{pin("a", "x"), pin("a", "y")}, nil},
		{"b", []model.ToolPin{pin("b", "y")}, nil},
		{"a", []model.ToolPin{changed}, []string{"y", "never there"}},
	} {
		if err := s.SaveToolPins(t.Context(), c.server, c.keep, c.drop); err != nil {
			t.Fatal(err)
		}
	}
	want := []model.ToolPin{changed, pin("b", "y")}
	if got, err := s.ToolPins(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}
