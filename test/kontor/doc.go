// Package kontor runs the real binary for tests: it owns the process, its data
// folder and a small client of the REST API. It knows the application by what
// everybody sees of it (command line, HTTP, files) and imports none of its
// packages, so that a test can't share a mistake with the code that it tests.
package kontor
