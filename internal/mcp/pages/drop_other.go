//go:build !linux

// Package pages gives back the memory that a program's own file takes.
package pages

// Drop does nothing here.
func Drop() {}
