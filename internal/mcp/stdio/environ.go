package stdio

import (
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
)

// inherited are the variables that a server gets from our environment: what
// programs need to run at all, and nothing that could be a secret.
var inherited = []string{"HOME", "PATH", "TMPDIR", "LANG", "USER"}

// inheritedWindows are their kin, without which little starts there.
var inheritedWindows = []string{
	"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LANG", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE",
	"PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
}

// BaseEnv is the environment for a server: the few variables of ours that every
// program needs, and the named ones, which win. The result is sorted, and never
// nil.
func BaseEnv(named map[string]string) []string {
	return baseEnv(os.Environ(), runtime.GOOS == "windows", named)
}

func baseEnv(ours []string, windows bool, named map[string]string) []string {
	keep, same := inherited, func(a, b string) bool { return a == b }
	if windows { // where names don't differ by case
		keep, same = inheritedWindows, strings.EqualFold
	}
	vars := maps.Clone(named)
	if vars == nil {
		vars = map[string]string{}
	}
	for _, entry := range ours {
		key, value, _ := strings.Cut(entry, "=")
		is := func(other string) bool { return same(key, other) }
		if slices.ContainsFunc(keep, is) && !slices.ContainsFunc(slices.Collect(maps.Keys(named)), is) {
			vars[key] = value
		}
	}
	env := make([]string, 0, len(vars))
	for key, value := range vars {
		env = append(env, key+"="+value)
	}
	slices.Sort(env)
	return env
}

// lookupEnv is the value of a variable in env; the last of several counts, as
// exec has it.
func lookupEnv(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		key, value, _ := strings.Cut(entry, "=")
		if key == name || runtime.GOOS == "windows" && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}
