package media

import (
	"bytes"
	"strings"
	"syscall"

	"github.com/natefinch/atomic"
)

// write puts the whole file in place at once, with mode 0600: a reader, or a
// crash, never meets half of it.
func write(path string, data []byte) error {
	return atomic.WriteFile(path, bytes.NewReader(data))
}

// unwritten says why a file could not be written, for a person and for models:
// without the folder and the temporary file, which the errors of atomic name and
// do not unwrap from.
func unwritten(err error) string {
	text := err.Error()
	cause := text[strings.LastIndex(text, ": ")+1:]
	if cause = strings.TrimSpace(cause); cause == syscall.ENOSPC.Error() {
		return "The disk is full: the file could not be stored."
	}
	return "The file could not be stored: " + cause
}
