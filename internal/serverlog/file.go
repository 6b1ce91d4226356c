package serverlog

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// write appends a line to a file, which is moved to `.1` when it is full. The file is
// open for that long only: lines come late from servers that are gone, and nobody
// would close it behind them.
func write(path string, e model.LogEntry) error {
	line := Format(e)
	f, err := open(path)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	if info.Size() > 0 && info.Size()+int64(len(line)) > rotateAt {
		if err := errors.Join(f.Close(), os.Rename(path, path+".1")); err != nil {
			return err
		}
		if f, err = open(path); err != nil {
			return err
		}
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

func open(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
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
