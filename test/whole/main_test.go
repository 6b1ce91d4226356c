// Package whole tests Kontor as a whole: the real binary, real processes, a real
// data folder. What one package promises is tested there; here is what only all of
// them together can keep.
package whole

import (
	"os"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(fakeVar); name != "" {
		fakes()[name]()
		return
	}
	os.Exit(kontor.Main(m))
}
