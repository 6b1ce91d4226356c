package exchange

import (
	"errors"
	"io"
	"net/http"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// maxList is the most of a list of models that is read: OpenRouter's, the longest
// there is, takes less than 1 MB.
const maxList = 8 << 20

// DoList is Do for a list of models, which the SDKs read whole.
func (x *Exchange) DoList(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	res, err := x.Do(req, next)
	if err != nil {
		return nil, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, maxList), res.Body}
	return res, nil
}

// ListFailure is Failure for a list of models. Servers that have none answer as they
// do to any path that they don't know, which is no word about a model.
func (x *Exchange) ListFailure(err error) error {
	err = x.Failure(err)
	if r, ok := errors.AsType[*llm.Refusal](err); ok {
		switch r.Status {
		case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusNotImplemented:
			return &model.Error{
				Code: model.CodeNotFound, Message: x.options.Host + " has no list of models" + inBrackets(r.Status) + ".",
				Fix: fixes()[llm.CodeBadRequest], Err: r,
			}
		}
	}
	if model.CodeOf(err) == llm.CodeCutStream {
		return x.Unreadable("a list of models was asked for.")
	}
	return err
}
