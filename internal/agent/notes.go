package agent

import (
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// What a note is about: the code of its part.
const (
	// NoteRestarted: Kontor was restarted, and the turn goes on; NoteInterrupted: it
	// was restarted, and the turn ended there.
	NoteRestarted   = "restarted"
	NoteInterrupted = "interrupted"
	NoteStopped     = "stopped"
	// NoteCapabilities: the tools that are on are others than before; NoteGroups: the
	// person switched groups on or off.
	NoteCapabilities = "capabilities_changed"
	NoteGroups       = "groups_changed"
	// NoteLength: the answer reached its limit; NoteFiltered: the provider or the
	// model refused to give it; NoteRounds: the turn took too many steps; NoteCalls: an
	// answer asked for too many calls.
	NoteLength   = "length"
	NoteFiltered = "filtered"
	NoteRounds   = "rounds"
	NoteCalls    = "calls"
	// NoteCompaction: what was said before could not be summarised.
	NoteCompaction = "compaction_failed"
	// NoteRetrying is in drafts only: the request is sent again.
	NoteRetrying = "retrying"
)

// Codes of parts that are for requests alone and shown to nobody.
const (
	// hiddenSystem is a system prompt, of the agent Name.
	hiddenSystem = "system"
	// hiddenOffered lists in Notes which groups a request offered, as group:hash.
	hiddenOffered = "offered"
	// hiddenRan is what came of the tool that the person ran as the call CallID.
	hiddenRan = "ran"
)

func hidden(p model.ChatPart) bool {
	return p.Kind == model.PartNote && (p.Code == hiddenSystem || p.Code == hiddenOffered || p.Code == hiddenRan)
}

// shown is a message without its hidden parts; false when nothing is left of it.
func shown(m model.ChatMessage) (model.ChatMessage, bool) {
	if slices.ContainsFunc(m.Parts, hidden) {
		m.Parts = slices.DeleteFunc(slices.Clone(m.Parts), hidden)
		return m, len(m.Parts) > 0 || m.Role == model.RoleAssistant
	}
	return m, true
}

// toModel says whether the model reads a note. Of a restart it reads in the results of
// the calls that it cut.
func toModel(code string) bool {
	switch code {
	case NoteStopped, NoteCapabilities, NoteGroups, NoteLength, NoteRounds, NoteCalls, hiddenRan:
		return true
	}
	return false
}

// part returns the part of a code.
func part(m model.ChatMessage, code string) (model.ChatPart, bool) {
	for _, p := range m.Parts {
		if p.Kind == model.PartNote && p.Code == code {
			return p, true
		}
	}
	return model.ChatPart{}, false
}

// textOf is what a message says.
func textOf(m model.ChatMessage) string {
	var texts []string
	for _, p := range m.Parts {
		if p.Kind == model.PartText {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// usesOf are the calls that a message asks for.
func usesOf(m model.ChatMessage) []model.ChatPart {
	var uses []model.ChatPart
	for _, p := range m.Parts {
		if p.Kind == model.PartToolUse {
			uses = append(uses, p)
		}
	}
	return uses
}

// openUses are the calls of the last answer that have no result yet.
func openUses(rows []model.ChatMessage) []model.ChatPart {
	i := lastAnswer(rows)
	if i < 0 {
		return nil
	}
	got := map[string]bool{}
	for _, m := range rows[i+1:] {
		for _, p := range m.Parts {
			if p.Kind == model.PartToolResult {
				got[p.UseID] = true
			}
		}
	}
	return slices.DeleteFunc(usesOf(rows[i]), func(p model.ChatPart) bool { return got[p.UseID] })
}

// lastAnswer is the index of the last answer, or -1.
func lastAnswer(rows []model.ChatMessage) int {
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Role == model.RoleAssistant {
			return i
		}
	}
	return -1
}

// unanswered says whether the person has the last word.
func unanswered(rows []model.ChatMessage) bool {
	return slices.ContainsFunc(rows[lastAnswer(rows)+1:], func(m model.ChatMessage) bool { return m.Role == model.RoleUser })
}
