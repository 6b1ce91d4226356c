package pages

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

func TestTheProgramRunsOnWithoutThePagesThatItDropped(t *testing.T) {
	before := resident(t)
	Drop()
	after := resident(t)
	// What is needed to get here has come back already.
	if after >= before {
		t.Errorf("%d KiB of files are resident, %d before", after, before)
	}
}

// resident is how much of mapped files is in memory, in KiB (proc(5)).
func resident(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssFile:"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("no RssFile")
	return 0
}
