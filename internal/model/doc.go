// Package model holds the words of the domain: servers, tools, calls, inbox
// items and the news about them, with the rules that need no I/O. It imports
// the standard library only and knows neither storage nor wire.
package model
