// Longchat writes a chat of many messages into the database of a Kontor that is
// stopped, through the store that Kontor writes with, and prints the chat's id. The
// browser's tests open it: to say it all to a model would take them an hour.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/store"
)

// atOnce is how many messages are on their way to the disk: it writes them together.
const atOnce = 256

func main() {
	data := flag.String("data", "", "the data folder")
	count := flag.Int("messages", 10_000, "how many messages the chat has")
	flag.Parse()
	id, err := write(context.Background(), filepath.Join(*data, "kontor.db"), *count)
	if err != nil {
		fmt.Fprintln(os.Stderr, "longchat:", err)
		os.Exit(1)
	}
	fmt.Println(id)
}

func write(ctx context.Context, path string, count int) (id string, err error) {
	s, err := store.Open(ctx, store.Options{Path: path, Unlock: func(store.KeyState) (store.Sealer, error) { return keyless{}, nil }})
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	begun := time.Now().Add(-time.Duration(count) * time.Minute)
	chat := model.ChatSession{ID: newID(), Title: "A long chat", Named: true, Agent: "main", CreatedAt: begun, UpdatedAt: time.Now()}
	root := model.Frame{ID: newID(), SessionID: chat.ID, Agent: "main", State: model.FrameOpen, CreatedAt: begun}
	if err := s.InsertChat(ctx, chat, root); err != nil {
		return "", err
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for _, m := range messages(count) {
		m.SessionID, m.FrameID, m.Root = chat.ID, root.ID, true
		m.CreatedAt = begun
		begun = begun.Add(time.Minute)
		g.Go(func() error { return s.InsertMessage(ctx, m) })
	}
	return chat.ID, g.Wait()
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

// keyless seals nothing: no message is sealed. Without a check value the database
// keeps its key.
type keyless struct{}

func (keyless) Seal([]byte, string) ([]byte, error) { return nil, errors.New("longchat has no key") }
func (keyless) Open([]byte, string) ([]byte, error) { return nil, errors.New("longchat has no key") }
func (keyless) CheckValue() string                  { return "" }
