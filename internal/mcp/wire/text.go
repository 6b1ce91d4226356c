package wire

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text decodes a JSON string that came from a message's members; ok is false for
// anything else. Bytes that are no UTF-8 stay as they are.
func Text(raw json.RawMessage) (s string, ok bool) { return text(raw) }

// text decodes a JSON string that the scanner has passed.
func text(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	return unescape(inner)
}

// unescape copies what lies between escapes at memory's pace: encoding/json looks
// at each byte twice, and that is most of the time that a large text takes.
func unescape(inner []byte) (string, bool) {
	var b strings.Builder
	b.Grow(len(inner))
	for {
		i := bytes.IndexByte(inner, '\\')
		if i < 0 {
			b.Write(inner)
			return b.String(), true
		}
		b.Write(inner[:i])
		r, size := escaped(inner[i:])
		if size == 0 {
			return "", false
		}
		b.WriteRune(r)
		inner = inner[i+size:]
	}
}

// escaped is the character that the escape at the beginning of data stands for, and
// its length; 0 when it is none.
func escaped(data []byte) (r rune, size int) {
	if len(data) < 2 {
		return 0, 0
	}
	switch c := data[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	r, ok := utf16Unit(data)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	low, _ := utf16Unit(data[6:])
	if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
		return pair, 12
	}
	return utf8.RuneError, 6 // half a pair
}

// utf16Unit reads `\u` and four digits.
func utf16Unit(data []byte) (rune, bool) {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(unit), err == nil
}

// AppendString writes s as a JSON string with no more escapes than RFC 8259
// (section 7) asks for. Bytes that are no UTF-8 become U+FFFD.
func AppendString(b []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	b = append(slices.Grow(b, len(s)+2), '"')
	for len(s) > 0 {
		// What may be plain is copied and then looked at, a piece at a time because
		// an escape throws the rest of the piece away.
		const piece = 256
		start := len(b)
		b = append(b, s[:min(piece, len(s))]...)
		end := plainEnd(b, start)
		s = s[end-start:]
		if end < len(b) {
			b = appendEscape(b[:end], s[0])
			s = s[1:]
		}
	}
	return append(b, '"')
}

func appendEscape(b []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&0xF])
}
