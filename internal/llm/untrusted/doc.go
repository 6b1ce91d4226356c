// Package untrusted makes what strangers say fit to be read: bounded, with what can't
// be seen marked, and named as theirs. It knows nothing of who reads it.
package untrusted
