package agents

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"

	"kontor.dev/kontor/internal/model"
)

const (
	fileName = "AGENT.md"
	// maxFile bounds a file, in bytes: all of it goes to a model in each request.
	maxFile = 64 << 10
	fence   = "---"
)

var validID = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)

// read reads the agents of a folder: each folder in it is one.
func read(folder fs.FS) []Agent {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return []Agent{broken("agents", fmt.Errorf("the agents' folder can't be read: %w", err))}
	}
	var out []Agent
	for _, e := range entries {
		if info, err := fs.Stat(folder, e.Name()); err != nil || !info.IsDir() {
			continue
		}
		a, err := readFile(folder, e.Name())
		if err != nil {
			a = broken(e.Name(), fmt.Errorf("%s: %w", path.Join("agents", e.Name(), fileName), err))
		}
		out = append(out, a)
	}
	return out
}

func broken(id string, why error) Agent {
	return Agent{AgentInfo: model.AgentInfo{ID: id, Name: id, Problem: why.Error()}}
}

func readFile(folder fs.FS, id string) (Agent, error) {
	if !validID.MatchString(id) {
		return Agent{}, errors.New("the folder's name is the agent's id: use 1 to 64 small letters, digits, dashes and underscores")
	}
	// Before it is opened: to open a pipe would wait for whoever writes to it.
	info, err := fs.Stat(folder, path.Join(id, fileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Agent{}, errors.New("the file is missing")
	case err != nil:
		return Agent{}, err
	case !info.Mode().IsRegular():
		return Agent{}, errors.New("it isn't a file")
	}
	f, err := folder.Open(path.Join(id, fileName))
	if err != nil {
		return Agent{}, err
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return Agent{}, err
	case len(text) > maxFile:
		return Agent{}, fmt.Errorf("the file is larger than %d KiB", maxFile>>10)
	case !utf8.Valid(text):
		return Agent{}, errors.New("the file isn't UTF-8 text")
	}
	return parse(id, string(text))
}

// matter is the front matter. A member with another name is an error: a misspelt
// `groups` would otherwise allow all of them.
type matter struct {
	Name        string    `yaml:"name"`
	Description string    `yaml:"description"`
	Model       string    `yaml:"model"`
	Groups      yaml.Node `yaml:"groups"`
}

func parse(id, text string) (Agent, error) {
	front, prompt, err := split(text)
	if err != nil {
		return Agent{}, err
	}
	var m matter
	if err := load(front, &m); err != nil {
		return Agent{}, fmt.Errorf("front matter: %s", oneLine(err))
	}
	a := Agent{Prompt: strings.TrimSpace(prompt)}
	a.AgentInfo = model.AgentInfo{ID: id, Name: m.Name, Description: m.Description, Model: m.Model}
	if a.Name == "" {
		a.Name = id
	}
	if a.Groups, err = groups(m.Groups); err != nil {
		return Agent{}, err
	}
	if a.Prompt == "" {
		return Agent{}, errors.New("there is no prompt: write what the agent is told below the front matter")
	}
	return a, nil
}

func load(front string, m *matter) error {
	l, err := yaml.NewLoader(strings.NewReader(front), yaml.WithKnownFields())
	if err != nil {
		return err
	}
	if err := l.Load(m); !errors.Is(err, io.EOF) {
		return err
	}
	return nil // nothing but comments
}

// split takes the front matter off. Its first line is left empty, so that the
// lines of an error are those of the file.
func split(text string) (front, prompt string, err error) {
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\uFEFF"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(text, fence+"\n")
	if !ok {
		return "", text, nil
	}
	front, prompt, ok = strings.Cut("\n"+rest+"\n", "\n"+fence+"\n")
	if !ok {
		return "", "", errors.New("front matter: the line --- that ends it is missing")
	}
	return front + "\n", prompt, nil
}

// groups reads a list of names; nil when there is none, which allows all.
func groups(n yaml.Node) ([]string, error) {
	if n.IsZero() {
		return nil, nil
	}
	names := []string{}
	if n.Kind != yaml.SequenceNode || n.Decode(&names) != nil {
		return nil, fmt.Errorf("front matter: line %d: groups is a list of server names, such as [weather, config]; leave it out for all, [] is none", n.Line)
	}
	return names, nil
}

func oneLine(err error) string {
	text := strings.NewReplacer("not found in type agents.matter", "is unknown: use name, description, model and groups",
		"agents.matter", "name, description, model and groups").Replace(err.Error())
	return strings.Join(strings.Fields(text), " ")
}
