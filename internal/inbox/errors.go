package inbox

import (
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// GoneError is the answer to an answer that came too late.
type GoneError struct{ Item model.Item }

// Error says who ended the item and how.
func (e *GoneError) Error() string {
	r := e.Item.Resolution
	if r == nil {
		return "this item is no longer open"
	}
	return fmt.Sprintf("this was already %s by %s", ended(e.Item.Kind, r.Action), r.By)
}

// ended is what was done with an item.
func ended(kind model.ItemKind, action model.Action) string {
	accepted, declined := "accepted", "declined"
	switch kind {
	case model.ItemApproval:
		accepted, declined = "approved", "rejected"
	case model.ItemQuestion:
		accepted = "answered"
	case model.ItemNotification, model.ItemFinding:
		accepted = "dismissed"
	}
	switch action {
	case model.ActionAccept:
		return accepted
	case model.ActionDecline:
		return declined
	}
	return "cancelled"
}

// Unwrap gives the code for the API.
func (e *GoneError) Unwrap() error {
	return &model.Error{Code: model.CodeGone, Message: e.Error()}
}

// FieldError is what is wrong with one field of an answer. It never repeats the
// value, which may be a secret.
type FieldError struct {
	// Field is the property's name; deeper ones are joined by dots; empty for
	// the answer as a whole.
	Field   string `json:"field"`
	Message string `json:"message"`
}

// InvalidError lists what is wrong with an answer.
type InvalidError struct{ Fields []FieldError }

// Error joins the fields' messages.
func (e *InvalidError) Error() string {
	parts := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		parts[i] = strings.TrimPrefix(f.Field+": "+f.Message, ": ")
	}
	return strings.Join(parts, "; ")
}

// Unwrap gives the code for the API.
func (e *InvalidError) Unwrap() error {
	return &model.Error{Code: model.CodeInvalid, Message: e.Error()}
}
