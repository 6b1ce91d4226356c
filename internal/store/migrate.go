package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"kontor.dev/kontor/internal/model"
)

// keptCopies is how many copies from before migrations stay next to the file.
const keptCopies = 3

const (
	copyMark = ".schema-"
	// stampLayout makes file names that sort by time.
	stampLayout = "20060102T150405.000Z"
)

// migrate brings the schema from version to the newest of migrations. The file
// is copied first when it holds anything.
func (s *Store) migrate(ctx context.Context, migrations fs.FS, version int64, log *slog.Logger) error {
	if version > 0 {
		kept, err := s.copyBefore(ctx, version)
		if err != nil {
			return fmt.Errorf("copy before the migration (nothing was changed): %w", err)
		}
		log.InfoContext(ctx, "copied the database before a migration", "copy", kept)
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, s.write.DB, migrations, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("embedded migrations: %w", err)
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return fmt.Errorf("migration of %s: %w", s.path, s.fail(err))
	}
	log.InfoContext(ctx, "brought the database up to date", "from", version, "migrations", len(results))
	return nil
}

// newestVersion is the version that migrations lead to.
func newestVersion(migrations fs.FS) (int64, error) {
	files, err := fs.Glob(migrations, "*.sql")
	if err != nil || len(files) == 0 {
		return 0, errors.Join(errors.New("no embedded migrations"), err)
	}
	return goose.NumericComponent(slices.Max(files))
}

// checkVersion returns the schema's version, 0 for an empty database. A version
// above this program's is refused in words; goose would go on with it.
func checkVersion(ctx context.Context, db *sqlx.DB, path string, newest int64) (int64, error) {
	version, err := schemaVersion(ctx, db, path)
	if err != nil {
		return 0, err
	}
	if version > newest {
		return 0, model.Errorf(model.CodeStorage,
			"%s was written by a newer Kontor (schema %d, this one knows %d) and was left as it is. Install that version, or bring back an older copy with `kontor restore`.",
			path, version, newest)
	}
	return version, nil
}

func schemaVersion(ctx context.Context, db *sqlx.DB, path string) (int64, error) {
	var tables []string
	err := db.SelectContext(ctx, &tables, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
	if err != nil {
		return 0, storageError(path, err)
	}
	if len(tables) == 0 {
		return 0, nil
	}
	if !slices.Contains(tables, goose.DefaultTablename) {
		return 0, model.Errorf(model.CodeStorage,
			"%s bears Kontor's mark but holds other tables. Kontor leaves it as it is: move it away, or use another data folder.", path)
	}
	var version int64
	err = db.GetContext(ctx, &version, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied = 1`)
	return version, storageError(path, err)
}

// copyBefore copies the file next to itself and drops all but the newest copies.
func (s *Store) copyBefore(ctx context.Context, version int64) (string, error) {
	name := fmt.Sprintf("%s%s%d-%s", s.path, copyMark, version, time.Now().UTC().Format(stampLayout))
	if err := s.Backup(ctx, name); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(s.folder())
	if err != nil {
		return "", err
	}
	var copies []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(s.path)+copyMark) {
			copies = append(copies, e.Name())
		}
	}
	slices.SortFunc(copies, func(a, b string) int { return strings.Compare(stampOf(b), stampOf(a)) })
	for _, old := range copies[min(len(copies), keptCopies):] {
		err = errors.Join(err, os.Remove(filepath.Join(s.folder(), old)))
	}
	return name, err
}

// stampOf is the part of a copy's name that says when it was made.
func stampOf(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }
