// Package pages gives back the memory that a program's own file takes.
package pages

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// Drop lets go of the pages of files that this process has mapped and has never
// changed: its code and its tables. Initialising the packages of a large program
// pages in megabytes of them that are never looked at again, and they are counted as
// the program's memory for as long as it runs. Those that are needed come back by
// themselves, from the system's cache as a rule.
func Drop() {
	// proc(5): for each mapping a line with its addresses, and then its figures.
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	var from, to uintptr
	file := false
	for line := range strings.Lines(string(maps)) {
		var f, t uintptr
		var rights string
		if n, _ := fmt.Sscanf(line, "%x-%x %s ", &f, &t, &rights); n == 3 {
			from, to, file = f, t, strings.HasPrefix(rights, "r-") && strings.Contains(line, " /")
			continue
		}
		// A dynamic linker writes to tables before they become read-only: such
		// pages are in no file.
		if pages, ok := strings.CutPrefix(line, "Anonymous:"); ok && file && strings.TrimSpace(pages) == "0 kB" {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
		}
	}
}
