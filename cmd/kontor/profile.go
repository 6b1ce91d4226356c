package main

import (
	"errors"
	"os"
	"runtime/pprof"
)

// profiled runs what takes long and writes where its CPU time went to path, in the
// format of pprof; empty for nowhere. `make pgo` feeds the compiler with it.
func profiled(path string, run func() error) error {
	if path == "" {
		return run()
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return errors.Join(err, file.Close())
	}
	err = run()
	pprof.StopCPUProfile()
	return errors.Join(err, file.Close())
}
