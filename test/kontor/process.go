package kontor

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// Descendants lists the processes below one: children, their children, and so on.
// It reads /proc; where there is none the test is skipped.
func Descendants(t testing.TB, pid int) []int {
	t.Helper()
	parents := parentsOf(t)
	var found []int
	for generation := []int{pid}; len(generation) > 0; {
		var next []int
		for child, parent := range parents {
			if slices.Contains(generation, parent) {
				next = append(next, child)
			}
		}
		found = append(found, next...)
		generation = next
	}
	return found
}

// parentsOf maps every living process to its parent.
func parentsOf(t testing.TB) map[int]int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(files) == 0 {
		t.Skip("there is no /proc to read the processes from")
	}
	parents := map[int]int{}
	for _, file := range files {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if state, parent, ok := readStat(pid); ok && state != "Z" {
			parents[pid] = parent
		}
	}
	return parents
}

// readStat reads the state and the parent of a process (proc_pid_stat(5)). The name
// before them is in brackets and may itself hold blanks and brackets.
func readStat(pid int) (state string, parent int, ok bool) {
	content, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0, false
	}
	rest := string(content)[strings.LastIndexByte(string(content), ')')+1:]
	fields := strings.Fields(rest)
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return fields[0], parent, err == nil
}

// Alive tells whether a process runs. One that has ended and was not waited for by
// its parent doesn't.
func Alive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil || process.Signal(syscall.Signal(0)) != nil {
		return false
	}
	state, _, ok := readStat(pid)
	return !ok || state != "Z"
}

// Living are those of the processes that run.
func Living(pids []int) []int {
	return slices.DeleteFunc(slices.Clone(pids), func(pid int) bool { return !Alive(pid) })
}
