package store

import (
	"bytes"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"
)

// moment is a time as it lies in the file: milliseconds, NULL for the zero time.
type moment struct{ time.Time }

// Value implements driver.Valuer.
func (m moment) Value() (driver.Value, error) {
	if m.IsZero() {
		return nil, nil
	}
	return m.UnixMilli(), nil
}

// Scan implements sql.Scanner.
func (m *moment) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		m.Time = time.Time{}
	case int64:
		m.Time = time.UnixMilli(v).UTC()
	default:
		return fmt.Errorf("a time of type %T", src)
	}
	return nil
}

// raw is JSON kept byte for byte as TEXT, NULL for none.
type raw json.RawMessage

// Value implements driver.Valuer. A []byte would be bound as a BLOB, which a
// STRICT table refuses in a TEXT column.
func (r raw) Value() (driver.Value, error) {
	if r == nil {
		return nil, nil
	}
	return string(r), nil
}

// Scan implements sql.Scanner.
func (r *raw) Scan(src any) error {
	switch v := src.(type) {
	case nil:
		*r = nil
	case string:
		*r = raw(v)
	case []byte:
		*r = bytes.Clone(v)
	default:
		return fmt.Errorf("JSON of type %T", src)
	}
	return nil
}

// column is a value of ours kept as JSON in TEXT.
type column[T any] struct{ V T }

// Value implements driver.Valuer. HTML stays unescaped: raw JSON inside T keeps
// the bytes of its strings and numbers.
func (c column[T]) Value() (driver.Value, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(c.V); err != nil {
		return nil, err
	}
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n"))), nil
}

// Scan implements sql.Scanner.
func (c *column[T]) Scan(src any) error {
	var text raw
	if err := text.Scan(src); err != nil || text == nil {
		return err
	}
	return json.Unmarshal(text, &c.V)
}

// orNow is for times that a row can't be without.
func orNow(t time.Time) moment {
	if t.IsZero() {
		t = time.Now()
	}
	return moment{t}
}
