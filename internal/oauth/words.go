package oauth

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"kontor.dev/kontor/internal/model"
)

// maxForeign is how many characters of a stranger's text go into our words.
const maxForeign = 200

// foreign makes a stranger's text fit into a sentence of ours: one line, bounded,
// nothing invisible.
func foreign(text string) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range strings.ToValidUTF8(text, "�") {
		if !unicode.IsGraphic(r) || unicode.IsSpace(r) {
			blank = b.Len() > 0
			continue
		}
		if n++; n > maxForeign {
			return b.String() + "…"
		}
		if blank {
			b.WriteByte(' ')
			blank = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// says marks a stranger's text as theirs; empty for an empty text.
func says(who, text string) string {
	if text = foreign(text); text == "" {
		return ""
	}
	return fmt.Sprintf(" (%s says: “%s”)", who, text)
}

// without takes secrets out of a stranger's text, which may well repeat what it
// was sent.
func without(text string, secrets []string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "•••")
			text = strings.ReplaceAll(text, url.QueryEscape(s), "•••")
		}
	}
	return text
}

// reason is an HTTP client's error without the address around it, which may hold
// a secret.
func reason(err error) error {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// NeedsClientError says that the authorization server registers nobody by
// itself: a client id must be typed in, and RedirectURI registered there.
type NeedsClientError struct {
	Issuer, RedirectURI string
	err                 *model.Error
}

// Error returns the words.
func (e *NeedsClientError) Error() string { return e.err.Error() }

// Unwrap returns the model.Error.
func (e *NeedsClientError) Unwrap() error { return e.err }

// ChooseIssuerError says that the server names several authorization servers.
type ChooseIssuerError struct {
	Issuers []string
	err     *model.Error
}

// Error returns the words.
func (e *ChooseIssuerError) Error() string { return e.err.Error() }

// Unwrap returns the model.Error.
func (e *ChooseIssuerError) Unwrap() error { return e.err }
