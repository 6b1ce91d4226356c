//go:build unix

package stdio

import (
	"os"
	"syscall"
)

// offer writes a line of at most pipeBuf bytes to the server's input if the pipe has
// room for it at this moment: the whole line or nothing (POSIX, write). Of an error it
// says nothing: the write that comes instead meets it again.
func (p *process) offer(line []byte) (taken bool) {
	_ = p.input.Write(func(fd uintptr) bool {
		n, err := syscall.Write(int(fd), line)
		taken = err == nil && n == len(line)
		return true
	})
	return taken
}

// terminate asks every process of the group to end.
func (p *process) terminate() { _ = syscall.Kill(-p.pid(), syscall.SIGTERM) }

// kill ends every process of the group. One that left it by setsid stays.
func (p *process) kill() { _ = syscall.Kill(-p.pid(), syscall.SIGKILL) }

func signalName(state *os.ProcessState) string {
	if status, ok := state.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
