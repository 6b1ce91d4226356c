package wire

import (
	"net/http"

	"kontor.dev/kontor/internal/model"
)

// Problem is an error answer (RFC 9457) with a stable code. It never repeats
// what was submitted: that may be a secret.
type Problem struct {
	Title  string     `json:"title" doc:"The status in words"`
	Status int        `json:"status"`
	Detail string     `json:"detail" doc:"What went wrong, and what to do"`
	Code   model.Code `json:"code" doc:"Stable, machine-readable name of what went wrong"`
	// Errors says which fields were refused, and why.
	Errors []FieldError `json:"errors,omitempty"`
	// Resolution is given with code gone: who answered the item, and how.
	Resolution *Resolution `json:"resolution,omitempty"`
	// Stages is given when a server was tried before saving and could not start.
	Stages []Stage `json:"stages,omitempty"`
	// RedirectURI is given when the authorization server registers no clients: a client
	// id, for this address, has to be typed in.
	RedirectURI string `json:"redirect_uri,omitempty"`
	// Issuers is given when the server names several authorization servers to choose
	// from.
	Issuers []string `json:"issuers,omitempty"`
	// Headers go with the answer: Retry-After, WWW-Authenticate.
	Headers http.Header `json:"-"`
}

// FieldError is what is wrong with one field of the request.
type FieldError struct {
	Location string `json:"location" doc:"Where: body.name, query.limit" example:"body.name"`
	Message  string `json:"message"`
}

// Error returns the detail.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status; huma asks for it.
func (p *Problem) GetStatus() int { return p.Status }

// GetHeaders returns the headers that go with the answer; huma asks for them.
func (p *Problem) GetHeaders() http.Header { return p.Headers }

// ContentType is application/problem+json; huma asks for it.
func (p *Problem) ContentType(string) string { return ProblemType }

// AppendProblem writes the problem as JSON.
func AppendProblem(b []byte, p *Problem) []byte { return appendJSON(b, p) }

// ProblemType is the media type of a Problem (RFC 9457, section 3).
const ProblemType = "application/problem+json"

// NewProblem makes a Problem with the status that belongs to the code.
func NewProblem(code model.Code, detail string) *Problem {
	status := StatusOf(code)
	return &Problem{Title: http.StatusText(status), Status: status, Detail: detail, Code: code}
}

// StatusOf is the one table from codes to HTTP statuses.
func StatusOf(code model.Code) int {
	switch code {
	case model.CodeInvalid, model.CodeMissingVariable, CodeSecretsMove:
		return http.StatusUnprocessableEntity
	case model.CodeNotFound:
		return http.StatusNotFound
	case model.CodeConflict, model.CodeGone, model.CodeDisabled:
		return http.StatusConflict
	case model.CodeDenied, model.CodeInsufficientScope, model.CodeRejected:
		return http.StatusForbidden
	case model.CodeTooLarge:
		return http.StatusRequestEntityTooLarge
	case model.CodeInternal:
		return http.StatusInternalServerError
	case model.CodeTimeout:
		return http.StatusGatewayTimeout
	case model.CodeStorage:
		return http.StatusInsufficientStorage
	case CodeUnauthenticated:
		return http.StatusUnauthorized
	case CodeSlowDown:
		return http.StatusTooManyRequests
	case CodeBadRequest:
		return http.StatusBadRequest
	case CodeMisdirected:
		return http.StatusMisdirectedRequest
	case CodeMethodNotAllowed:
		return http.StatusMethodNotAllowed
	case CodeUnsupportedType:
		return http.StatusUnsupportedMediaType
	}
	// All other codes say what came of asking a server.
	return http.StatusBadGateway
}

// Codes that only the API itself uses.
const (
	CodeUnauthenticated  model.Code = "unauthenticated"
	CodeSlowDown         model.Code = "slow_down"
	CodeBadRequest       model.Code = "bad_request"
	CodeMisdirected      model.Code = "unknown_host"
	CodeMethodNotAllowed model.Code = "method_not_allowed"
	CodeUnsupportedType  model.Code = "unsupported_media_type"
	// CodeSecretsMove: stored secrets would be sent to another host than before.
	CodeSecretsMove model.Code = "secrets_move"
)
