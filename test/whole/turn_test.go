package whole

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// The points at which Kontor is killed in a turn, and how many folders share them.
const (
	killPoints  = 100
	killFolders = 4
)

var seed = flag.Uint64("kill-seed", 0, "of the points at which a turn is killed; 0 for others each time")

// point is where Kontor is killed: at a piece of news of the turn, or, with none, at
// a time from its begin.
type point struct {
	count int
	after time.Duration
}

// TestATurnOutlivesKills kills Kontor at random points of a turn that has everything:
// calls side by side, an approval, a question, a sub-agent. Whatever the point, no
// call is sent twice, no approval is executed twice or lost, and no message is lost,
// as the server that was called and Kontor's own announcements tell it.
func TestATurnOutlivesKills(t *testing.T) {
	t.Parallel()
	if *seed == 0 {
		*seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-kill-seed %d", *seed)
	for folder := range killFolders {
		t.Run(fmt.Sprint("folder ", folder), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(*seed, uint64(folder)))
			file := filepath.Join(t.TempDir(), "received")
			p := &person{t: t, news: news{calls: map[string]string{}}}
			p.start(kontor.Folder(t))
			p.k.AddReady("demo", recordedDemo(t, file))
			p.k.Send(http.StatusCreated, http.MethodPost, "/api/models", map[string]any{
				"name": "fake", "provider": "openai", "base_url": fakeModel(t), "model": "fake", "default": true,
			}, nil)
			count, whole := p.turn(file, "whole", nil)
			for i := range killPoints / killFolders {
				at := point{after: time.Duration(random.Int64N(int64(whole)))}
				if i%2 == 0 {
					at = point{count: 1 + random.IntN(count), after: time.Duration(random.Int64N(int64(3 * time.Millisecond)))}
				}
				p.turn(file, fmt.Sprintf("f%dp%d", folder, i), &at)
				if t.Failed() {
					t.Fatalf("killed at %+v", at)
				}
			}
		})
	}
}

// turn lives through one turn of a chat of its own, kills Kontor at the point, and
// looks at what is left. It returns how many pieces of news there were and how long it
// took.
func (p *person) turn(file, name string, at *point) (count int, took time.Duration) {
	p.t.Helper()
	var chat struct{ ID string }
	p.k.Send(http.StatusCreated, http.MethodPost, "/api/sessions", map[string]string{"title": name}, &chat)
	p.chat = chat.ID
	p.news.take()
	begun := time.Now()
	if at != nil {
		p.killer.arm(p.k, *at)
	}
	p.live(name)
	took = time.Since(begun)
	if at != nil {
		p.killer.kill() // a point that the turn didn't come to
		p.step(name)
	}
	return p.check(file, name), took
}

// killer ends one Kontor at one point.
type killer struct {
	mu sync.Mutex
	k  *kontor.Kontor
	at point
}

// arm sets the point; one in time counts from now.
func (x *killer) arm(k *kontor.Kontor, at point) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.k, x.at = k, at
	if at.count == 0 {
		time.AfterFunc(at.after, func() { x.killOnly(k) })
	}
}

// heard is called for each piece of news.
func (x *killer) heard(k *kontor.Kontor, count int) {
	x.mu.Lock()
	at, is := x.at, x.k == k && x.at.count == count
	x.mu.Unlock()
	if is {
		time.Sleep(at.after)
		x.killOnly(k)
	}
}

// kill kills, unless it has.
func (x *killer) kill() {
	x.mu.Lock()
	k := x.k
	x.mu.Unlock()
	if k != nil {
		x.killOnly(k)
	}
}

// killOnly kills that Kontor, if it is still the one to kill.
func (x *killer) killOnly(k *kontor.Kontor) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.k == k {
		x.k = nil
		k.Kill9()
	}
}
