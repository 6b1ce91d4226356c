package stdio

import (
	"errors"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// pipeBuf is PIPE_BUF (limits.h): as much goes into a pipe in one piece.
const pipeBuf = 4096

// setAttributes gives the child a session of its own, and with it a process
// group: no terminal's Ctrl-C reaches it, and it can't ask for a password on a
// terminal that someone started us from.
//
// The guard hears of the group only after exec, since its number is the child's
// pid. Pdeathsig covers the moment before: should we die then, the kernel kills
// the child. SIGKILL rather than SIGTERM, because it also has to hold when the
// guard was killed together with us.
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// awaitExit blocks until the leader has exited and leaves it a zombie.
func (p *process) awaitExit() {
	for {
		err := unix.Waitid(unix.P_PID, p.pid(), nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return
		}
	}
}
