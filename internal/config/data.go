package config

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Database is the path of the database file.
func (c Config) Database() string { return filepath.Join(c.Data, "kontor.db") }

// Media is the folder of the files that tools answered with.
func (c Config) Media() string { return filepath.Join(c.Data, "mcp_media") }

// Agents is the folder of the person's own agents.
func (c Config) Agents() string { return filepath.Join(c.Data, "agents") }

// ServerLogs is the folder of the servers' logs.
func (c Config) ServerLogs() string { return filepath.Join(c.Data, "logs", "mcp") }

// Socket is the path of the socket that the CLI talks to a running Kontor over.
func (c Config) Socket() string { return filepath.Join(c.Data, "kontor.sock") }

// Command is how a person calls this program, which is at executable, for the same
// data folder: by its name where the shell finds it, and with --data where that
// isn't the default.
func (c Config) Command(executable string, args ...string) string {
	name := filepath.Base(executable)
	if found, err := exec.LookPath(name); err != nil || !sameFile(found, executable) {
		name = executable
	}
	words := append([]string{name}, args...)
	if usual, err := folder(defaultData); err != nil || usual != c.Data {
		words = append(words, "--data", c.Data)
	}
	for i, word := range words {
		if strings.ContainsAny(word, " \t\"'$&;()") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// MakeFolder makes the data folder, for the owner alone. One that others may
// enter is closed to them if it is Kontor's or empty; a folder of other things is
// refused in words, as --data was likely meant otherwise.
func (c Config) MakeFolder() error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	info, err := os.Stat(c.Data)
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	ours, err := c.empty()
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	if _, err := os.Stat(c.Database()); err == nil {
		ours = true
	}
	if !ours {
		return fmt.Errorf("%s is open to others and holds other things: give Kontor a folder of its own with --data", c.Data)
	}
	if err := os.Chmod(c.Data, 0o700); err != nil {
		return fmt.Errorf("others may enter the data folder, and its rights can't be changed: %w", err)
	}
	return nil
}

// empty tells whether nothing but a configuration file is in the data folder.
func (c Config) empty() (bool, error) {
	entries, err := os.ReadDir(c.Data)
	for _, e := range entries {
		if e.Name() != FileName {
			return false, err
		}
	}
	return true, err
}
