package servers

import (
	"os"
	"path/filepath"
	"strings"
)

// usualPlaces are folders that a login shell often has on its PATH, and a service
// has not: version managers, user installs, package managers.
func usualPlaces(home string) []string {
	return []string{
		home + "/.local/bin", home + "/.volta/bin", home + "/.nvm/versions/node/*/bin",
		home + "/.local/share/fnm/node-versions/*/installation/bin", home + "/.fnm/node-versions/*/installation/bin",
		home + "/.asdf/shims", home + "/.local/share/mise/shims", home + "/.pyenv/shims",
		home + "/.cargo/bin", home + "/.bun/bin", home + "/.deno/bin", home + "/go/bin", home + "/bin",
		"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin", "/usr/bin", "/bin", "/snap/bin",
	}
}

// elsewhere is a place of the command where the PATH didn't lead; "" when there is
// none. Of several versions the last by name is taken.
func elsewhere(command string) string {
	home, err := os.UserHomeDir()
	if err != nil || command == "" || strings.ContainsAny(command, `/\*?[`) {
		return ""
	}
	return findIn(usualPlaces(home), command)
}

func findIn(places []string, command string) string {
	for _, place := range places {
		matches, err := filepath.Glob(filepath.Join(filepath.FromSlash(place), command))
		if err != nil {
			continue // a home folder with signs of a pattern
		}
		for i := len(matches) - 1; i >= 0; i-- {
			if info, err := os.Stat(matches[i]); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
				return matches[i]
			}
		}
	}
	return ""
}
