package stdio

import (
	"os"
	"os/exec"
	"syscall"
)

// setAttributes keeps Ctrl-C of our console from the child.
func setAttributes(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP, HideWindow: true}
}

const pipeBuf = 0 // nothing is offered

// offer takes nothing: a write to a pipe of ours always waits for room on Windows.
func (p *process) offer([]byte) bool { return false }

func (p *process) awaitExit() { _ = p.cmd.Wait() }

// terminate does nothing: Windows has no SIGTERM, and the end of its input has
// told the server already.
func (p *process) terminate() {}

// kill ends the leader only; its own children need a job object.
func (p *process) kill() { _ = p.cmd.Process.Kill() }

func signalName(*os.ProcessState) string { return "" }
