package serverlog

import (
	"fmt"
	"os"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// logFile appends lines and rotates to one backup, `.1`.
type logFile struct {
	path string
	f    *os.File
	size int64
}

func newLogFile(path string) *logFile { return &logFile{path: path} }

func (l *logFile) write(e model.LogEntry) error {
	line := Format(e)
	if err := l.ready(int64(len(line))); err != nil {
		return err
	}
	n, err := l.f.WriteString(line)
	l.size += int64(n)
	return err
}

// ready opens the file, or moves a full one away first.
func (l *logFile) ready(more int64) error {
	if l.f == nil {
		f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err != nil {
			f.Close()
			return err
		}
		l.f, l.size = f, info.Size()
	}
	if l.size+more <= rotateAt || l.size == 0 {
		return nil
	}
	if err := l.close(); err != nil {
		return err
	}
	if err := os.Rename(l.path, l.path+".1"); err != nil {
		return err
	}
	return l.ready(more)
}

func (l *logFile) close() error {
	if l.f == nil {
		return nil
	}
	err := l.f.Close()
	l.f, l.size = nil, 0
	return err
}

// tagWidth aligns the text behind the widest tag, `[lifecycle]`, and two blanks.
const tagWidth = 13

// Format writes a line as it stands in the file: UTC time to the millisecond,
// the padded tag, the text. Line breaks in the text are written as `\n`, so that
// a server can't forge a line.
func Format(e model.LogEntry) string {
	text := strings.NewReplacer("\r", `\r`, "\n", `\n`).Replace(e.Text)
	return fmt.Sprintf("%s %-*s%s\n", e.At.UTC().Format("2006-01-02T15:04:05.000Z07:00"), tagWidth, "["+e.Tag+"]", text)
}
