package stdio

import (
	"fmt"
	"os"
)

// ExitError says how a process ended that nobody here had asked to end.
type ExitError struct {
	// Command is the configured command, without its arguments: those may hold
	// secrets.
	Command string
	// ExitCode is -1 when a signal ended the process.
	ExitCode int
	// Signal is the signal's name, empty when the process exited.
	Signal string
	// StderrTail are the last lines that it wrote to stderr, oldest first: at
	// most 10, each cut at 1 KiB. They are not redacted.
	StderrTail []string
}

// Error names the command and the code or signal.
func (e *ExitError) Error() string {
	if e.Signal != "" {
		return fmt.Sprintf("command %q was ended by a signal: %s", e.Command, e.Signal)
	}
	return fmt.Sprintf("command %q exited with code %d", e.Command, e.ExitCode)
}

func newExitError(command string, state *os.ProcessState, tail []string) *ExitError {
	e := &ExitError{Command: command, ExitCode: -1, StderrTail: tail}
	if state != nil {
		e.ExitCode, e.Signal = state.ExitCode(), signalName(state)
	}
	return e
}
