package storetest

import (
	"bytes"
	"errors"
)

// Plain is a sealer that only turns the bits of a value, for tests that are not
// about keys. A test that looks for a secret in the file still finds none.
type Plain struct{}

// Seal implements store.Sealer.
func (Plain) Seal(plain []byte, context string) ([]byte, error) {
	return flip(append([]byte(context+"\x00"), plain...)), nil
}

// Open implements store.Sealer.
func (Plain) Open(sealed []byte, context string) ([]byte, error) {
	plain, ok := bytes.CutPrefix(flip(bytes.Clone(sealed)), []byte(context+"\x00"))
	if !ok {
		return nil, errors.New("sealed under another context")
	}
	return plain, nil
}

// CheckValue implements store.Sealer.
func (Plain) CheckValue() string { return "plain" }

func flip(b []byte) []byte {
	for i := range b {
		b[i] = ^b[i]
	}
	return b
}
