// Package agents knows the agents: who each is, what it is told, and which tool
// groups it may use. Main, researcher and tic are built in; a folder
// `agents/<id>/AGENT.md` of the data folder adds one or takes the place of one.
//
// An AGENT.md is Markdown, the agent's system prompt, after an optional front
// matter in YAML between two lines `---`: name, description, model (the name of a
// configured language model) and groups (the tool groups that it may use; left out
// for all, `[]` for none).
package agents
