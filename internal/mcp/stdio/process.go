package stdio

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// process is the server's process, the leader of its group. Our ends of its
// pipes are pollable files, so that closing one or setting a deadline always
// frees a goroutine that reads or writes there.
type process struct {
	cmd            *exec.Cmd
	stdin          *os.File
	input          syscall.RawConn // stdin's
	stdout, stderr *os.File
	// exited is closed when the leader has exited. On Linux it has not been
	// reaped by then, and nothing else can get its number before reap.
	exited chan struct{}
}

// spawn starts the process and tells the guard.
func spawn(o Options) (*process, error) {
	if info, err := os.Stat(o.Dir); o.Dir != "" && (err != nil || !info.IsDir()) {
		// exec would blame the command for it.
		return nil, &FolderError{o.Dir}
	}
	file, err := lookup(o.Command, o.Dir, o.Env)
	if err != nil {
		return nil, err
	}
	p := &process{exited: make(chan struct{})}
	p.cmd = &exec.Cmd{Path: file, Args: append([]string{o.Command}, o.Args...), Dir: o.Dir, Env: o.Env}
	if p.cmd.Env == nil {
		p.cmd.Env = []string{} // nil would mean ours
	}
	setAttributes(p.cmd)
	theirs, err := p.pipes()
	if err == nil {
		err = p.start()
	}
	closeAll(theirs...)
	if err != nil {
		closeAll(p.stdin, p.stdout, p.stderr)
		return nil, fmt.Errorf("start %q: %w", o.Command, err)
	}
	if o.Guard == nil {
		return p, nil
	}
	if err := o.Guard.Register(p.pid()); err != nil {
		p.kill()
		<-p.exited
		p.reap()
		closeAll(p.stdin, p.stdout, p.stderr)
		return nil, fmt.Errorf("guard %q: %w", o.Command, err)
	}
	return p, nil
}

// pipes makes the three pipes and answers the child's ends. They are plain files
// to exec.Cmd, which therefore copies nothing and waits for nobody: a grandchild
// that holds one of them open can't hold up Wait.
func (p *process) pipes() (theirs []*os.File, err error) {
	for _, pipe := range []func(r, w *os.File){
		func(r, w *os.File) { p.stdin, p.cmd.Stdin, theirs = w, r, append(theirs, r) },
		func(r, w *os.File) { p.stdout, p.cmd.Stdout, theirs = r, w, append(theirs, w) },
		func(r, w *os.File) { p.stderr, p.cmd.Stderr, theirs = r, w, append(theirs, w) },
	} {
		r, w, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		pipe(r, w)
	}
	p.input, err = p.stdin.SyscallConn()
	return theirs, err
}

// start runs the command from a thread that lives as long as the process does.
// On Linux the parent-death signal is sent when the *thread* that forked ends,
// and Go ends threads whose goroutine exits while locked: the goroutine below is
// locked to its thread, spends the process's life waiting for it there, which
// takes a thread anyway, and unlocks before it ends.
func (p *process) start() error {
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.awaitExit()
			close(p.exited)
		}
	}()
	return <-started
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// reap collects the exit status after exited; from then on the system may use
// the number again.
func (p *process) reap() *os.ProcessState {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Wait() // its error is the state in other words
	}
	return p.cmd.ProcessState
}

func closeAll(files ...*os.File) {
	for _, file := range files {
		_ = file.Close() // a nil file only answers an error
	}
}
