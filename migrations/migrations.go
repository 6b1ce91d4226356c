// Package migrations holds the SQL that makes and changes the database. It
// knows no Go types: package store runs it and owns every query.
//
// A file is never edited once it was released; a change is a new file with the
// next number.
package migrations

import "embed"

// FS holds the goose migrations, NNNNN_words.sql.
//
//go:embed *.sql
var FS embed.FS
