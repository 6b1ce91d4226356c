//go:build unix && !linux

package watchdog

import "os"

func ownBinary() (string, error) { return os.Executable() }
