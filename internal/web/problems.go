package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/access"
	"kontor.dev/kontor/internal/web/wire"
)

// problemOf is the answer to an error. Only a model.Error may be shown; of
// anything else the person learns that it is in the log.
func problemOf(err error) *wire.Problem {
	var p *wire.Problem
	if errors.As(err, &p) {
		return p
	}
	if wait, ok := access.Wait(err); ok {
		p := wire.NewProblem(wire.CodeSlowDown, err.Error())
		p.Headers = http.Header{"Retry-After": {strconv.Itoa(int(wait / time.Second))}}
		return p
	}
	var e *model.Error
	if errors.As(err, &e) {
		return wire.NewProblem(e.Code, e.Message)
	}
	var h *echo.HTTPError
	if errors.As(err, &h) {
		return &wire.Problem{Title: http.StatusText(h.Code), Status: h.Code, Detail: http.StatusText(h.Code), Code: codeOfStatus(h.Code)}
	}
	return wire.NewProblem(model.CodeInternal, "Something went wrong inside Kontor; its log says what.")
}

// logFailure writes down what is Kontor's own fault; that a server is away or a
// client has left is none.
func logFailure(ctx context.Context, log *slog.Logger, p *wire.Problem, err error, method, path string) {
	ours := p.Code == model.CodeInternal || p.Code == model.CodeStorage
	if ours && ctx.Err() == nil {
		log.ErrorContext(ctx, "a request failed", "method", method, "path", path, "err", err)
	}
}

// answerError is Echo's last resort: a page for a browser that asked for one, a
// problem for all else.
func (s *Server) answerError(err error, c echo.Context) {
	p := problemOf(err)
	logFailure(c.Request().Context(), s.o.Log, p, err, c.Request().Method, c.Request().URL.Path)
	if c.Response().Committed {
		return
	}
	for name, values := range p.Headers {
		c.Response().Header()[name] = values
	}
	if !isAPI(c.Request().URL.Path) && wantsHTML(c.Request()) {
		err = s.errorPage(c, p)
	} else {
		c.Response().Header().Set(echo.HeaderContentType, wire.ProblemType)
		c.Response().WriteHeader(p.Status)
		_, err = c.Response().Write(wire.AppendProblem(nil, p))
	}
	if err != nil {
		s.o.Log.LogAttrs(c.Request().Context(), slog.LevelDebug, "an error was not delivered", slog.Any("err", err))
	}
}

// asProblem turns huma's own errors (validation, media types) into our problems,
// without the submitted values that they carry.
func asProblem(_ huma.Context, _ string, v any) (any, error) {
	e, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	p := &wire.Problem{Title: http.StatusText(e.Status), Status: e.Status, Detail: e.Detail, Code: codeOfStatus(e.Status)}
	for _, d := range e.Errors {
		p.Errors = append(p.Errors, wire.FieldError{Location: d.Location, Message: safeMessage(d)})
	}
	if len(p.Errors) > 0 {
		p.Detail = fmt.Sprintf("%s: %s", p.Errors[0].Location, p.Errors[0].Message)
	}
	return p, nil
}

// safeMessage keeps the messages that huma writes of its schemas; those of
// decoders quote their input.
func safeMessage(d *huma.ErrorDetail) string {
	if d.Location == "body" {
		if _, undecoded := d.Value.(string); undecoded {
			return "this isn't the JSON that the operation takes"
		}
	}
	return d.Message
}

func codeOfStatus(status int) model.Code {
	switch status {
	case http.StatusUnprocessableEntity:
		return model.CodeInvalid
	case http.StatusNotFound:
		return model.CodeNotFound
	case http.StatusConflict:
		return model.CodeConflict
	case http.StatusRequestEntityTooLarge:
		return model.CodeTooLarge
	case http.StatusUnsupportedMediaType:
		return wire.CodeUnsupportedType
	case http.StatusMethodNotAllowed:
		return wire.CodeMethodNotAllowed
	}
	if status < http.StatusInternalServerError {
		return wire.CodeBadRequest
	}
	return model.CodeInternal
}
