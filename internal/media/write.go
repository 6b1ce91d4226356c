package media

import (
	"bytes"

	"github.com/natefinch/atomic"
)

// write puts the whole file in place at once, with mode 0600: a reader, or a
// crash, never meets half of it.
func write(path string, data []byte) error {
	return atomic.WriteFile(path, bytes.NewReader(data))
}
