// Package calls runs tools: one way in for whoever asks. It writes a row before
// a call is sent, keeps its time limits, sends it at most once, reads the raw
// result once, and tells the news.
//
// It refuses to know how a server is reached, who may call what, and how a
// question reaches a person: those come in as small interfaces.
package calls
