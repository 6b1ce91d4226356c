package stdio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// NotFoundError says that there is no such command, and where it was looked for:
// a service often has another PATH than the shell in which the command worked.
type NotFoundError struct {
	Command string
	// Path is the PATH that was searched; empty for a command given as a path.
	Path string
	err  error
}

// Error names the command and the PATH.
func (e *NotFoundError) Error() string {
	switch {
	case strings.ContainsRune(e.Command, filepath.Separator):
		return fmt.Sprintf("command %q: %v", e.Command, e.err)
	case e.Path == "":
		return fmt.Sprintf("command %q not found: the server's environment has no PATH", e.Command)
	}
	return fmt.Sprintf("command %q not found in PATH %q", e.Command, e.Path)
}

// Unwrap answers fs.ErrNotExist or fs.ErrPermission.
func (e *NotFoundError) Unwrap() error { return e.err }

// FolderError says that the working directory is none.
type FolderError struct{ Dir string }

// Error names the folder.
func (e *FolderError) Error() string { return fmt.Sprintf("working directory %q is no folder", e.Dir) }

// lookup finds the file to execute. It searches the PATH of the server's own
// environment, unlike exec.LookPath, which searches ours. Relative folders in
// PATH count for nothing: what runs must not depend on the working directory.
func lookup(command, dir string, env []string) (string, error) {
	if command == "" {
		return "", errors.New("no command")
	}
	extensions := executableExtensions(command, env)
	if filepath.IsAbs(command) || strings.ContainsRune(command, filepath.Separator) || runtime.GOOS == "windows" && strings.Contains(command, "/") {
		file := command
		if !filepath.IsAbs(file) {
			file = filepath.Join(dir, file)
		}
		found, err := executable(file, extensions)
		if err != nil {
			return "", &NotFoundError{Command: command, err: err}
		}
		// exec takes a relative path as seen from the child's directory.
		return filepath.Abs(found)
	}
	path := lookupEnv(env, "PATH")
	for _, folder := range filepath.SplitList(path) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if found, err := executable(filepath.Join(folder, command), extensions); err == nil {
			return found, nil
		}
	}
	return "", &NotFoundError{Command: command, Path: path, err: fs.ErrNotExist}
}

func executable(file string, extensions []string) (string, error) {
	err := error(fs.ErrNotExist)
	for _, extension := range extensions {
		info, statErr := os.Stat(file + extension)
		switch {
		case statErr != nil:
			if !errors.Is(statErr, fs.ErrNotExist) {
				err = errors.Unwrap(statErr)
			}
		case info.IsDir() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
			err = fs.ErrPermission
		default:
			return file + extension, nil
		}
	}
	return "", err
}

// executableExtensions are the endings to try: none but on Windows.
func executableExtensions(command string, env []string) []string {
	if runtime.GOOS != "windows" || filepath.Ext(command) != "" {
		return []string{""}
	}
	list := lookupEnv(env, "PATHEXT")
	if list == "" {
		list = ".COM;.EXE;.BAT;.CMD"
	}
	return strings.Split(strings.ToLower(list), ";")
}
