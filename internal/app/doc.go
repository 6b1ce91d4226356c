// Package app puts the parts together: it makes them in order, hands each what it
// needs, runs them and takes them down again. It is also what end-to-end tests
// start, and what the command line talks to. It owns no rule of the domain.
package app
