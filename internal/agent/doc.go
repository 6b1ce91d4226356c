// Package agent has language models work with tools. It owns the chats, their turns
// (model, tools, model again, until the model stops), what a model is told and
// offered, the sub-agents, and what is left of a turn after a restart.
//
// Every step is stored before the next begins, so that a turn can be read back from
// its rows: an answer before the calls that it asks for, each call's id with the
// answer, each result as soon as it is there.
//
// It refuses to know: what a provider's wire looks like (llm), whether a call may
// run and how (calls), how the person is asked (inbox), how a server is reached.
package agent
