package agents

import (
	"cmp"
	"embed"
	"io/fs"
	"os"
	"slices"

	"kontor.dev/kontor/internal/model"
)

// Main is the agent of a chat that names none.
const Main = "main"

// ListTag is where in a prompt the list of the servers belongs.
const ListTag = "<!-- MCP_LIST -->"

//go:embed builtin/*/AGENT.md
var builtin embed.FS

// Agent is one agent and its system prompt. One with a Problem and no Prompt
// can't be used.
type Agent struct {
	model.AgentInfo
	Prompt string
}

// Set is the built-in agents and those of a folder. It reads the folder anew each
// time, so that an edited file holds from the next chat on. Safe for concurrent use.
type Set struct{ builtin, folder fs.FS }

// New makes the set of a folder, which need not exist.
func New(dir string) *Set {
	own, err := fs.Sub(builtin, "builtin")
	if err != nil {
		panic(err) // the path is a constant
	}
	return &Set{builtin: own, folder: os.DirFS(dir)}
}

// Get finds an agent by its id.
func (s *Set) Get(id string) (Agent, bool) {
	for _, a := range s.List() {
		if a.ID == id {
			return a, true
		}
	}
	return Agent{}, false
}

// List lists the agents by id, main first.
func (s *Set) List() []Agent {
	all := map[string]Agent{}
	for _, a := range read(s.builtin) {
		a.BuiltIn = true
		all[a.ID] = a
	}
	for _, a := range read(s.folder) {
		if own, ok := all[a.ID]; ok && a.Problem != "" {
			a = standIn(own, a.Problem)
		}
		all[a.ID] = a
	}
	list := make([]Agent, 0, len(all))
	for _, a := range all {
		list = append(list, a)
	}
	slices.SortFunc(list, func(a, b Agent) int {
		if a.ID == Main || b.ID == Main {
			return cmp.Compare(rank(a), rank(b))
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return list
}

func rank(a Agent) int {
	if a.ID == Main {
		return 0
	}
	return 1
}

// standIn is the built-in agent while the file that should take its place is
// broken. What the file limited it to isn't known, so it gets no tools.
func standIn(own Agent, problem string) Agent {
	own.Groups = []string{}
	own.Problem = problem + ". Until this is mended, the built-in agent is used, without tool groups"
	return own
}
