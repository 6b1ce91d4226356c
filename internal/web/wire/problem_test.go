package wire

import (
	"net/http"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// Only what goes wrong inside Kontor is a 500: a server's refusal is none.
func TestStatusOf(t *testing.T) {
	t.Parallel()
	for code, want := range map[model.Code]int{
		model.CodeInternal:          http.StatusInternalServerError,
		model.CodeInvalid:           http.StatusUnprocessableEntity,
		model.CodeStorage:           http.StatusInsufficientStorage,
		model.CodeServerError:       http.StatusBadGateway,
		model.CodeServerUnavailable: http.StatusBadGateway,
		model.CodeNeedsSignIn:       http.StatusBadGateway,
		model.CodeOutcomeUnknown:    http.StatusBadGateway,
		"connection_refused":        http.StatusBadGateway,
		"exited":                    http.StatusBadGateway,
	} {
		if got := StatusOf(code); got != want {
			t.Errorf("StatusOf(%s) = %d, want %d", code, got, want)
		}
	}
}
