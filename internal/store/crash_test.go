package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"kontor.dev/kontor/internal/store"
	"kontor.dev/kontor/internal/store/storetest"
)

// writeUntilKilled tells this test binary to play the process that is killed.
const writeUntilKilled = "KONTOR_TEST_WRITE_UNTIL_KILLED"

// writeCalls inserts calls and prints the id of each that is committed.
func writeCalls(path string) {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: path,
		Unlock: func(store.KeyState) (store.Sealer, error) { return storetest.Plain{}, nil }})
	if err != nil {
		panic(err)
	}
	for {
		call := newCall()
		if err := s.InsertCall(ctx, call); err != nil {
			panic(err)
		}
		fmt.Println(call.ID)
	}
}

func TestACommittedCallOutlivesKill9(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "kontor.db")
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), writeUntilKilled+"="+path)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		ids = append(ids, lines.Text())
		if len(ids) == 200 {
			if err := command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = command.Wait() // killed
	if len(ids) < 200 {
		t.Fatalf("the writer stopped by itself after %d calls", len(ids))
	}
	s := storetest.Open(t, path)
	// A line cut by the kill is no promise.
	for _, id := range ids[:len(ids)-1] {
		if _, err := s.Call(t.Context(), id); err != nil {
			t.Fatalf("a call that was reported committed: %v", err)
		}
	}
	n, err := s.SettleOpenCalls(t.Context(), start)
	if err != nil || n < len(ids)-1 {
		t.Errorf("SettleOpenCalls: %d, %v, want at least %d", n, err, len(ids)-1)
	}
}
