//go:build unix

package watchdog

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

const (
	// writeLimit is how long a record may take to be written: a watchdog that
	// doesn't read is none, and is replaced.
	writeLimit = time.Second
	// maxWait is the longest pause between attempts to replace it.
	maxWait = 5 * time.Second
)

// Watchdog is our side: the list of groups that live, and the pipe. It is safe
// for concurrent use.
type Watchdog struct {
	note func(string)

	mu      sync.Mutex
	groups  map[int]struct{}
	current *instance // nil while there is none
	closed  bool

	closing chan struct{}
	done    chan struct{} // closed when the supervisor has ended
}

// instance is one run of the watchdog process.
type instance struct {
	cmd  *exec.Cmd
	pipe *os.File
}

// Start starts the watchdog process. note takes a line about its life, such as
// that it died and was replaced, and must return at once; it may be nil.
func Start(note func(string)) (*Watchdog, error) {
	if os.Getenv(marker) != "" {
		return nil, errNoMain
	}
	if note == nil {
		note = func(string) {}
	}
	first, err := launch()
	if err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	w := &Watchdog{
		note: note, groups: map[int]struct{}{}, current: first,
		closing: make(chan struct{}), done: make(chan struct{}),
	}
	w.noteStart(first)
	go w.supervise(first)
	return w, nil
}

// Register adds a process group. While a watchdog that died is being replaced the
// group is only noted; the new one is told of all of them.
func (w *Watchdog) Register(pgid int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return ErrClosed
	}
	w.groups[pgid] = struct{}{}
	w.tell('+', pgid)
	return nil
}

// Release drops a process group. It has to be called before the system can give
// the group's number to another: after everything in the group was killed, and
// before its leader is reaped. The watchdog reads all records before it acts, so
// there is no moment in which it would still end that number.
func (w *Watchdog) Release(pgid int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.groups, pgid)
	w.tell('-', pgid)
}

// Close ends the watchdog, and with it every group that is still registered, and
// waits for that: at most a few seconds.
func (w *Watchdog) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.closing)
		if w.current != nil {
			_ = w.current.pipe.Close()
			w.current = nil
		}
	}
	w.mu.Unlock()
	<-w.done
	return nil
}

// tell writes a record, with mu held. A watchdog that can't be told is ended; the
// supervisor replaces it and tells the new one everything.
func (w *Watchdog) tell(sign byte, pgid int) {
	if w.current == nil {
		return
	}
	if err := w.current.write(record(nil, sign, pgid)); err != nil {
		_ = w.current.cmd.Process.Kill()
		w.current = nil
	}
}

// supervise waits for the watchdog's end and replaces it until Close.
func (w *Watchdog) supervise(running *instance) {
	defer close(w.done)
	for running != nil {
		err := running.cmd.Wait()
		_ = running.pipe.Close()
		select {
		case <-w.closing:
			return
		default:
		}
		w.note(fmt.Sprintf("the watchdog process ended (%v) and is replaced", err))
		w.forget(running)
		running = w.replace()
	}
}

func (w *Watchdog) noteStart(i *instance) {
	w.note(fmt.Sprintf("the watchdog is process %d", i.cmd.Process.Pid))
}

func (w *Watchdog) forget(gone *instance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.current == gone {
		w.current = nil
	}
}

// replace starts a new watchdog, however often it takes; nil after Close.
func (w *Watchdog) replace() *instance {
	for wait := 10 * time.Millisecond; ; wait = min(2*wait, maxWait) {
		fresh, err := launch()
		if err == nil {
			w.adopt(fresh)
			w.noteStart(fresh)
			return fresh
		}
		w.note(fmt.Sprintf("the watchdog can't be started: %v", err))
		select {
		case <-w.closing:
			return nil
		case <-time.After(wait):
		}
	}
}

// adopt tells a new watchdog of every group.
func (w *Watchdog) adopt(fresh *instance) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []byte
	for pgid := range w.groups {
		all = record(all, '+', pgid)
	}
	if err := fresh.write(all); err != nil {
		_ = fresh.cmd.Process.Kill() // supervise sees it end and goes on
		return
	}
	if w.closed {
		_ = fresh.pipe.Close()
		return
	}
	w.current = fresh
}

func (i *instance) write(records []byte) error {
	if err := i.pipe.SetWriteDeadline(time.Now().Add(writeLimit)); err != nil {
		return err
	}
	_, err := i.pipe.Write(records)
	return err
}

func record(buf []byte, sign byte, pgid int) []byte {
	return append(strconv.AppendInt(append(buf, sign), int64(pgid), 10), '\n')
}

// launch executes this binary again. The process gets the pipe and nothing else:
// no output, no environment but its settings, and a session of its own, so that
// what a terminal sends to our group doesn't reach it.
func launch() (*instance, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	file, err := ownBinary()
	if err != nil {
		_ = ours.Close()
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: file, Args: []string{name}, Dir: "/", Stdin: theirs,
		// One thread and a heap that stays as small as it begins.
		Env:         []string{marker + "=1", "GOMAXPROCS=1", "GOGC=10"},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := cmd.Start(); err != nil {
		_ = ours.Close()
		return nil, err
	}
	return &instance{cmd: cmd, pipe: ours}, nil
}
