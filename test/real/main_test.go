//go:build real

// Package real drives MCP servers that others wrote through Kontor's REST API. Each
// test asserts the whole list of a server's tools, so that a newer version with
// another tool fails here and not in silence.
package real

import (
	"os"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestMain(m *testing.M) { os.Exit(kontor.Main(m)) }
