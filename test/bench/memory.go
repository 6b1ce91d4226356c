package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// watchdogName is the first argument of Kontor's watchdog.
const watchdogName = "mcp-watchdog"

// memory is what processes take, in bytes: resident pages, and the same with
// shared pages divided by those who share them.
type memory struct{ resident, proportional int64 }

// memoryOf is that of a Kontor and its watchdog (proc(5); Linux only).
func memoryOf(pid int) (memory, error) {
	watchdog, err := watchdogOf(pid)
	if err != nil {
		return memory{}, err
	}
	var sum memory
	for _, id := range []int{pid, watchdog} {
		resident, err := field(id, "status", "VmRSS")
		if err != nil {
			return memory{}, err
		}
		proportional, err := field(id, "smaps_rollup", "Pss")
		if err != nil {
			return memory{}, err
		}
		sum.resident += resident << 10
		sum.proportional += proportional << 10
	}
	return sum, nil
}

func watchdogOf(parent int) (int, error) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, err
	}
	for _, file := range files {
		command, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(command), watchdogName) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		if of, err := field(pid, "status", "PPid"); err == nil && of == int64(parent) {
			return pid, nil
		}
	}
	return 0, fmt.Errorf("process %d has no watchdog", parent)
}

// field is a number (of KiB, where it is a size) in a file of a process.
func field(pid int, file, name string) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			return strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
		}
	}
	return 0, fmt.Errorf("%s of process %d has no %s", file, pid, name)
}
