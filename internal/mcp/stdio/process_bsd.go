//go:build unix && !linux

package stdio

import (
	"os/exec"
	"syscall"
)

// pipeBuf is PIPE_BUF (limits.h): as much goes into a pipe in one piece.
const pipeBuf = 512

// setAttributes gives the child a session and process group of its own. There is
// no parent-death signal here: should we be killed in the moment between exec
// and Guard.Register, the server sees only the end of its input.
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}

// awaitExit reaps the leader at once: macOS's waitid can't wait for an exit alone
// (https://go.dev/issue/19314). The group is signalled after that, within
// TermGrace; its number could go to a stranger only if the system went through
// all its pids in that time.
func (p *process) awaitExit() { _ = p.cmd.Wait() }
