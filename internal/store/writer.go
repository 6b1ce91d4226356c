package store

import (
	"context"
	"runtime"
	"sync"

	"github.com/jmoiron/sqlx"

	"kontor.dev/kontor/internal/model"
)

// maxBatch bounds the writes in one transaction, and so the time that the last
// of them waits for the first.
const maxBatch = 512

// job is one write. run may be called again when the transaction that it shared
// with others broke, so it leaves nothing behind but what it assigns anew.
type job struct {
	ctx context.Context
	run func(context.Context, *sqlx.Tx) error
	// alone: run has several statements and must be undone as a whole.
	alone bool
	// durable: the commit outlives a power cut, and goes alone too.
	durable bool
	done    chan struct{}
	err     error
}

// writer owns the writing connection. Writes that arrive while a transaction is
// on its way share the next one: no write waits for company, and a crowd pays
// for one commit.
type writer struct {
	db   *sqlx.DB
	path string
	wake chan struct{}
	end  chan struct{}

	mu     sync.Mutex
	queue  []*job
	closed bool
}

func newWriter(db *sqlx.DB, path string) *writer {
	w := &writer{db: db, path: path, wake: make(chan struct{}, 1), end: make(chan struct{})}
	go w.loop()
	return w
}

// do queues a write of one statement and returns once it is committed, or knows
// that it isn't. A ctx that ends before the write's turn withdraws it; later it
// doesn't, so that the answer is never "perhaps".
func (w *writer) do(ctx context.Context, run func(context.Context, *sqlx.Tx) error) error {
	return w.submit(&job{ctx: ctx, run: run, done: make(chan struct{})})
}

// doAlone is do for several statements that hold together.
func (w *writer) doAlone(ctx context.Context, run func(context.Context, *sqlx.Tx) error) error {
	return w.submit(&job{ctx: ctx, run: run, alone: true, done: make(chan struct{})})
}

// doDurably is doAlone for what something outside the database relies on: it is on
// the disk itself when doDurably returns.
func (w *writer) doDurably(ctx context.Context, run func(context.Context, *sqlx.Tx) error) error {
	return w.submit(&job{ctx: ctx, run: run, alone: true, durable: true, done: make(chan struct{})})
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
	select {
	case w.wake <- struct{}{}:
	default: // it is awake, and looks at the queue once more before it sleeps
	}
	w.mu.Unlock()
	<-j.done
	return storageError(w.path, j.err)
}

// close refuses further writes and waits for those in the queue.
func (w *writer) close() {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.wake)
	}
	w.mu.Unlock()
	<-w.end
}

func (w *writer) loop() {
	defer close(w.end)
	for range w.wake {
		w.drain()
	}
	w.drain()
}

func (w *writer) drain() {
	for {
		// On a busy machine goroutines that are about to write are ready to run: they
		// come first, and share the transaction. Otherwise this returns at once.
		runtime.Gosched()
		batch := w.next()
		if len(batch) == 0 {
			return
		}
		w.commit(batch)
		for _, j := range batch {
			close(j.done)
		}
	}
}

// next takes what may share a transaction from the head of the queue.
func (w *writer) next() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for n < len(w.queue) && n < maxBatch && !w.queue[n].alone {
		n++
	}
	if n == 0 && len(w.queue) > 0 {
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
	if batch[0].durable {
		if _, err := w.db.ExecContext(ctx, `PRAGMA synchronous = FULL`); err != nil {
			return err
		}
		// Were it to fail, later commits would only be slower.
		defer func() { _, _ = w.db.ExecContext(ctx, `PRAGMA synchronous = NORMAL`) }()
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	for _, j := range batch {
		if j.err = j.ctx.Err(); j.err != nil {
			continue
		}
		j.err = j.run(ctx, tx)
		if j.err != nil && (j.alone || breaksTransaction(j.err)) {
			// SQLite may have rolled back by itself; that it says so is no news.
			_ = tx.Rollback()
			return j.err
		}
	}
	return tx.Commit()
}
