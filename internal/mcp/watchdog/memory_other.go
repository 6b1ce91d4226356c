//go:build unix && !linux

package watchdog

import "runtime/debug"

// shrink gives back the heap that starting up took.
func shrink() { debug.FreeOSMemory() }
