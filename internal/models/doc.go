// Package models keeps the language models that the person configured, and makes
// providers of them. It owns who is asked with which key at which address.
//
// It refuses to know what is said to a model and what for: a provider streams.
package models
