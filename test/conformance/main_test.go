//go:build conformance

// Package conformance runs the official conformance suite's client scenarios against
// Kontor: one running binary is the client of all of them at once, through its REST
// API.
package conformance

import (
	"os"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestMain(m *testing.M) { os.Exit(kontor.Main(m)) }
