package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// Database is the path of the database file.
func (c Config) Database() string { return filepath.Join(c.Data, "kontor.db") }

// Media is the folder of the files that tools answered with.
func (c Config) Media() string { return filepath.Join(c.Data, "mcp_media") }

// ServerLogs is the folder of the servers' logs.
func (c Config) ServerLogs() string { return filepath.Join(c.Data, "logs", "mcp") }

// Socket is the path of the socket that the CLI talks to a running Kontor over.
func (c Config) Socket() string { return filepath.Join(c.Data, "kontor.sock") }

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
