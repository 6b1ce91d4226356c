//go:build unix

package stdio

import (
	"os"
	"syscall"
)

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
