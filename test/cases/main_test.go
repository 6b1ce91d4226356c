// Package cases holds Kontor against servers that do what people have reported of
// servers in the wild. Each case is a fake server and what a person must then see:
// the fakes are entries of one table, played by this test binary itself over stdio
// and by the test over HTTP, and Kontor is the real binary with all of them at once.
package cases

import (
	"os"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(fakeVar); name != "" {
		play(name)
		return
	}
	os.Exit(kontor.Main(m))
}
