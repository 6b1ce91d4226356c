package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// report prints a line for each comparison, as soon as it is known.
type report struct {
	w    io.Writer
	bars int
	over int
}

func newReport(w io.Writer) *report { return &report{w: w} }

const columns = "%-46s %11s %11s %8s %8s  %s\n"

func (r *report) head(about string) {
	fmt.Fprintln(r.w, about)
	fmt.Fprintf(r.w, "\n"+columns, "", "bare", "Kontor", "ratio", "bar", "")
}

// times compares two durations; a bar of 0 is none.
func (r *report) times(what string, bare, kontor time.Duration, bar float64) {
	ratio := float64(kontor) / float64(bare)
	limit := ""
	if bar > 0 {
		limit = fmt.Sprintf("%.1f ×", bar)
	}
	fmt.Fprintf(r.w, columns, what, inMillis(bare), inMillis(kontor), fmt.Sprintf("%.2f ×", ratio), limit, r.judge(ratio, bar))
}

// time tells a duration; a bar of 0 is none.
func (r *report) time(what string, took, bar time.Duration) {
	limit := ""
	if bar > 0 {
		limit = inMillis(bar)
	}
	fmt.Fprintf(r.w, columns, what, "", inMillis(took), "", limit, r.judge(float64(took), float64(bar)))
}

// memory tells a size in bytes; a bar of 0 is none.
func (r *report) memory(what string, size, bar int64) {
	limit := ""
	if bar > 0 {
		limit = inMiB(bar)
	}
	fmt.Fprintf(r.w, columns, what, "", inMiB(size), "", limit, r.judge(float64(size), float64(bar)))
}

func (r *report) judge(value, bar float64) string {
	if bar == 0 {
		return ""
	}
	r.bars++
	if value <= bar {
		return "ok"
	}
	r.over++
	return "over"
}

func (r *report) end() { fmt.Fprintf(r.w, "\n%d of %d over their bar%s\n", r.over, r.bars, load()) }

func inMillis(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}

func inMiB(size int64) string { return fmt.Sprintf("%.1f MiB", float64(size)/(1<<20)) }

// percentile is of the times, which it sorts; p is 0 to 1.
func percentile(times []time.Duration, p float64) time.Duration {
	slices.Sort(times)
	return times[min(int(p*float64(len(times))), len(times)-1)]
}

// load is the system's load, which says how far the numbers can be trusted; empty
// where there is none to read.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return ", load " + strings.Fields(string(text))[0]
}
