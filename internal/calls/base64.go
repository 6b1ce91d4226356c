package calls

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// decodeBase64 reads the bytes of a block. The protocol asks for standard base64
// (RFC 4648, section 4); servers also send the URL alphabet, no padding, line
// breaks, and whole data: URLs, and what they mean is beyond doubt.
func decodeBase64(value json.RawMessage) ([]byte, error) {
	text, ok := quoted(value)
	if !ok {
		return nil, model.Errorf(model.CodeProtocol, "the data isn't a string")
	}
	if head, body, ok := bytes.Cut(text, []byte(";base64,")); ok && bytes.HasPrefix(head, []byte("data:")) {
		text = body
	}
	if out, err := decode(base64.StdEncoding, text); err == nil {
		return out, nil
	}
	plain := plainBase64(text)
	out, err := decode(base64.RawStdEncoding, plain)
	if err != nil {
		return nil, model.Errorf(model.CodeProtocol, "the data isn't base64")
	}
	return out, nil
}

func decode(enc *base64.Encoding, text []byte) ([]byte, error) {
	out := make([]byte, enc.DecodedLen(len(text)))
	n, err := enc.Decode(out, text)
	return out[:n], err
}

// quoted is a JSON string's text without a copy, which matters for megabytes,
// unless it holds an escape.
func quoted(value json.RawMessage) ([]byte, bool) {
	if len(value) < 2 || value[0] != '"' {
		return nil, false
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return inner, true
	}
	text, ok := wire.Text(value)
	return []byte(text), ok
}

// plainBase64 rewrites the variants to the standard alphabet without padding and
// white space.
func plainBase64(text []byte) []byte {
	return bytes.TrimRight(bytes.Map(func(r rune) rune {
		switch r {
		case ' ', '\t', '\r', '\n':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, text), "=")
}
