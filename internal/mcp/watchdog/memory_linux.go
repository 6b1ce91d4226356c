package watchdog

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"golang.org/x/sys/unix"
)

// shrink gives back the memory that starting up took. Initialising the packages
// of a large program pages in megabytes of its code and tables that the watchdog
// never looks at again, and they are counted as the program's memory for as long
// as it runs. Dropping pages of the file that nobody can have changed is safe: the
// few that are needed come back by themselves.
func shrink() {
	debug.FreeOSMemory()
	maps, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer maps.Close()
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var from, to uintptr
		var rights string
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s", &from, &to, &rights); n < 3 {
			continue
		}
		if strings.HasPrefix(rights, "r-") && strings.Contains(lines.Text(), " /") {
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
		}
	}
}
