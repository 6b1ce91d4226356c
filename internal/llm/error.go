package llm

import (
	"errors"
	"time"

	"kontor.dev/kontor/internal/model"
)

// Codes of what keeps a model from answering. Besides them a stream may end with
// model.CodeCancelled, model.CodeTimeout (silence), model.CodeProtocol (an answer
// that can't be read) and model.CodeTooLarge.
const (
	// CodeKeyRefused: the key is wrong, missing or may not do this.
	CodeKeyRefused model.Code = "key_refused"
	// CodeNoCredit: the account has no money or quota left; waiting doesn't help.
	CodeNoCredit model.Code = "no_credit"
	// CodeModelUnknown: there is no such model at this address.
	CodeModelUnknown model.Code = "model_unknown"
	// CodeContextTooLong: the conversation doesn't fit the model.
	CodeContextTooLong model.Code = "context_too_long"
	// CodeRateLimited: too many requests; see RetryAfter.
	CodeRateLimited model.Code = "rate_limited"
	// CodeOverloaded: the provider has trouble of its own.
	CodeOverloaded model.Code = "overloaded"
	// CodeBadRequest: the provider doesn't accept what was sent.
	CodeBadRequest model.Code = "bad_request"
	// CodeNoTools: this model takes no tools.
	CodeNoTools model.Code = "no_tools"
	// CodeTooManyTools: it takes fewer tools in one request.
	CodeTooManyTools model.Code = "too_many_tools"
	// CodeUnreachable: nobody answered; nothing was sent, or nobody knows.
	CodeUnreachable model.Code = "unreachable"
	// CodeCutStream: the answer broke off before its end.
	CodeCutStream model.Code = "cut_stream"
)

// Refusal is the cause of an error that a provider answered with, for logs and
// for retries. It holds none of the provider's words: they may quote the request.
type Refusal struct {
	// Status is the HTTP status; 0 for an error inside a stream.
	Status int
	// RetryAfter is the wait that the provider asked for; 0 when it didn't.
	RetryAfter time.Duration
	// RequestID is the provider's name of the request, to quote to its support.
	RequestID string
}

// Error says that the provider refused.
func (r *Refusal) Error() string {
	if r.RequestID != "" {
		return "refused by the provider, request " + r.RequestID
	}
	return "refused by the provider"
}

// RetryAfter returns the wait that the provider asked for, or 0.
func RetryAfter(err error) time.Duration {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r.RetryAfter
	}
	return 0
}
