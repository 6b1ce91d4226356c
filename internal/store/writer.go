package store

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"kontor.dev/kontor/internal/model"
)

// maxBatch bounds the writes in one transaction, and so the time that the last
// of them waits for the first.
const maxBatch = 512

var errPanicked = errors.New("a write that shared the transaction panicked")

// job is one write. run may be called again when the transaction that it shared
// with others broke, so it leaves nothing behind but what it assigns anew.
type job struct {
	ctx context.Context
	run func(context.Context, *transaction) error
	// alone: run has several statements and must be undone as a whole.
	alone bool
	// durable: the commit outlives a power cut, and goes alone too.
	durable bool
	// turn says true to the one that leads next, and is closed once the write is
	// done by another.
	turn chan bool
	err  error
}

// writer orders the writes. Whoever comes first leads: it runs its own write and
// those that wait by then in one transaction, then hands on to the next in the
// queue. So no write waits for company, a crowd pays for one commit, and a single
// writer changes no goroutine.
type writer struct {
	tx   *transaction
	path string

	mu     sync.Mutex
	queue  []*job
	led    bool // somebody leads
	idle   sync.Cond
	closed bool
}

func newWriter(tx *transaction, path string) *writer {
	w := &writer{tx: tx, path: path}
	w.idle.L = &w.mu
	return w
}

// do queues a write of one statement and returns once it is committed, or knows
// that it isn't. A ctx that ends before the write's turn withdraws it; later it
// doesn't, so that the answer is never "perhaps".
func (w *writer) do(ctx context.Context, run func(context.Context, *transaction) error) error {
	return w.submit(&job{ctx: ctx, run: run, turn: make(chan bool, 1)})
}

// doAlone is do for several statements that hold together.
func (w *writer) doAlone(ctx context.Context, run func(context.Context, *transaction) error) error {
	return w.submit(&job{ctx: ctx, run: run, alone: true, turn: make(chan bool, 1)})
}

// doDurably is doAlone for what something outside the database relies on: it is on
// the disk itself when doDurably returns.
func (w *writer) doDurably(ctx context.Context, run func(context.Context, *transaction) error) error {
	return w.submit(&job{ctx: ctx, run: run, alone: true, durable: true, turn: make(chan bool, 1)})
}

func (w *writer) submit(j *job) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	w.mu.Lock()
	if w.closed {
		w.mu.Unlock()
		return model.Errorf(model.CodeStorage, "Kontor is stopping: nothing more is stored.")
	}
	w.queue = append(w.queue, j)
	lead := !w.led
	w.led = true
	w.mu.Unlock()
	if lead || <-j.turn {
		w.lead()
	}
	return storageError(w.path, j.err)
}

// close refuses further writes, waits for those in the queue and lets go of the
// connection.
func (w *writer) close() error {
	w.mu.Lock()
	w.closed = true
	for w.led {
		w.idle.Wait()
	}
	w.mu.Unlock()
	return w.tx.close()
}

// lead commits what the head of the queue, the caller's write, shares a
// transaction with.
func (w *writer) lead() {
	// On a busy machine goroutines that are about to write are ready to run: they
	// come first, and share the transaction. Otherwise this returns at once.
	runtime.Gosched()
	batch := w.next()
	committed := false
	defer func() {
		if !committed { // a write panicked: nobody else shall wait or be told wrong
			w.undo()
			for _, j := range batch {
				j.err = errPanicked
			}
		}
		for _, j := range batch[1:] {
			close(j.turn)
		}
		w.handOn()
	}()
	w.commit(batch)
	committed = true
}

func (w *writer) handOn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) > 0 {
		w.queue[0].turn <- true
		return
	}
	w.led = false
	w.idle.Broadcast()
}

// next takes what may share a transaction from the head of the queue.
func (w *writer) next() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for n < len(w.queue) && n < maxBatch && !w.queue[n].alone {
		n++
	}
	if n == 0 {
		n = 1 // one that goes alone
	}
	batch := w.queue[:n:n]
	w.queue = w.queue[n:]
	if len(w.queue) == 0 {
		w.queue = nil
	}
	return batch
}

// commit runs the jobs and gives each its error. When the shared transaction
// breaks, each gets one of its own: a write that can succeed does.
func (w *writer) commit(batch []*job) {
	err := w.transact(batch)
	if err == nil {
		return
	}
	if len(batch) == 1 {
		batch[0].err = err
		return
	}
	for _, j := range batch {
		j.err = nil
		if err := w.transact([]*job{j}); err != nil {
			j.err = err
		}
	}
}

// transact runs the jobs in one transaction. An error means that none of them
// is stored; otherwise each job's own error says whether it is.
func (w *writer) transact(batch []*job) error {
	// The callers' contexts don't reach the statements: one that ends there would
	// roll back the others' writes.
	ctx := context.Background()
	if len(batch) == 1 && !batch[0].alone {
		return batch[0].run(ctx, w.tx) // one statement is a transaction by itself
	}
	if batch[0].durable {
		if _, err := w.tx.ExecContext(ctx, `PRAGMA synchronous = FULL`); err != nil {
			return err
		}
		// Were it to fail, later commits would only be slower.
		defer func() { _, _ = w.tx.ExecContext(ctx, `PRAGMA synchronous = NORMAL`) }()
	}
	if _, err := w.tx.begin.ExecContext(ctx); err != nil {
		return err
	}
	for _, j := range batch {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		j.err = j.run(ctx, w.tx)
		if j.err != nil && (j.alone || breaksTransaction(j.err)) {
			w.undo()
			return j.err
		}
	}
	if _, err := w.tx.commit.ExecContext(ctx); err != nil {
		w.undo()
		return err
	}
	return nil
}

// undo ends a transaction that broke. SQLite may have rolled it back by itself;
// that it says so is no news.
func (w *writer) undo() { _, _ = w.tx.rollback.ExecContext(context.Background()) }
