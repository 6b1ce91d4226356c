package serverlog

import (
	"regexp"
	"strings"
)

var (
	unsafeInName = regexp.MustCompile(`[^A-Za-z0-9._-]`)
	upperCase    = regexp.MustCompile(`[A-Z]`)
	// device is a name that Windows keeps for a device, whatever follows its first
	// dot (Naming Files, Paths, and Namespaces).
	device = regexp.MustCompile(`^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)
)

// FileName is the log file of a server: its name, with _ for what a file name may
// not hold. Servers whose names differ only in case are two, and where a file system
// takes theirs for one they would share a file: A is written as +a. The name of a
// device gets a + behind it. No server's name holds a +.
func FileName(server string) string {
	name := unsafeInName.ReplaceAllString(server, "_")
	name = upperCase.ReplaceAllStringFunc(name, func(letter string) string { return "+" + strings.ToLower(letter) })
	return device.ReplaceAllString(name, "$1+$2") + ".log"
}
