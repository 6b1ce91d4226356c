package wire

import (
	"bytes"
	"encoding/json"
	"io"
	"unicode/utf8"
)

// Clean replaces the bytes of JSON text that are no UTF-8 by U+FFFD. A server's text
// is passed on as it was sent, but what others read has to be UTF-8 (RFC 8259 §8.1):
// for some, one wrong byte of one server would spoil the list of all. Such bytes can
// only be inside strings.
func Clean(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	return bytes.ToValidUTF8(text, []byte("\uFFFD"))
}

// Encode writes v as JSON without the escapes that are for HTML only.
func Encode(w io.Writer, v any) error {
	enc := json.NewEncoder(cleaner{w})
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// cleaner cleans what json.Encoder writes, which is all of a value at once.
type cleaner struct{ to io.Writer }

func (c cleaner) Write(text []byte) (int, error) {
	if _, err := c.to.Write(Clean(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}
