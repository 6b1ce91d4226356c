package secret

import (
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"

	"kontor.dev/kontor/internal/model"
)

// sealVersion is the first byte of sealed bytes: XChaCha20-Poly1305, then 24
// bytes of nonce, then the ciphertext with its tag.
const sealVersion = 1

// checkContext and checkText make the check value.
const (
	checkContext = "key check"
	checkText    = "kontor"
)

// Box seals and opens with one key. A locked box has none: it refuses both and
// says why. It is safe for concurrent use.
type Box struct {
	aead    cipher.AEAD
	problem *model.Error
}

// NewBox makes a box of a key of 32 bytes.
func NewBox(key []byte) (*Box, error) {
	aead, err := chacha20poly1305.NewX(key)
	if err != nil {
		return nil, fmt.Errorf("key of %d bytes: %w", len(key), err)
	}
	return &Box{aead: aead}, nil
}

// locked makes a box that only says why it can't be used.
func locked(format string, args ...any) *Box {
	return &Box{problem: model.Errorf(CodeKey, format, args...)}
}

// Problem says in words why the box is locked, or is nil.
func (b *Box) Problem() *model.Error { return b.problem }

// Seal encrypts plain for context. A random nonce of 192 bits needs no counting
// (draft-irtf-cfrg-xchacha, section 3.1).
func (b *Box) Seal(plain []byte, context string) ([]byte, error) {
	if b.problem != nil {
		return nil, b.problem
	}
	sealed := make([]byte, 1+chacha20poly1305.NonceSizeX, 1+chacha20poly1305.NonceSizeX+len(plain)+b.aead.Overhead())
	sealed[0] = sealVersion
	nonce := sealed[1:]
	rand.Read(nonce) // never fails: crypto/rand ends the program instead
	return b.aead.Seal(sealed, nonce, plain, []byte(context)), nil
}

// Open decrypts what Seal made for the same context.
func (b *Box) Open(sealed []byte, context string) ([]byte, error) {
	if b.problem != nil {
		return nil, b.problem
	}
	if len(sealed) < 1+chacha20poly1305.NonceSizeX || sealed[0] != sealVersion {
		return nil, model.Errorf(CodeKey, "This value was not sealed by this version of Kontor.")
	}
	nonce, text := sealed[1:1+chacha20poly1305.NonceSizeX], sealed[1+chacha20poly1305.NonceSizeX:]
	plain, err := b.aead.Open(nil, nonce, text, []byte(context))
	if err != nil {
		return nil, model.Errorf(CodeKey, "The key doesn't open this value: it was sealed with another key, or changed.")
	}
	return plain, nil
}

// CheckValue is a text that Verify knows this box's key by. It tells nothing
// about the key, and is empty for a locked box.
func (b *Box) CheckValue() string {
	sealed, err := b.Seal([]byte(checkText), checkContext)
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(sealed)
}

// Verify tells whether check is a CheckValue of this box's key.
func (b *Box) Verify(check string) bool {
	sealed, err := base64.StdEncoding.DecodeString(check)
	if err != nil {
		return false
	}
	plain, err := b.Open(sealed, checkContext)
	return err == nil && string(plain) == checkText
}
