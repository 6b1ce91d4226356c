package web

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/inbox"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/form"
	"kontor.dev/kontor/templates"
)

// maxForm bounds a posted form.
const maxForm = 1 << 20

const fixFields = "Some fields need a fix."

// inboxPage lists what waits, each with the page that answers it without script.
func (s *Server) inboxPage(c echo.Context) error {
	page := templates.Inbox{Page: s.page("Inbox")}
	for _, item := range s.o.Inbox.Open() {
		page.Entries = append(page.Entries, templates.Entry{
			ID: item.ID, Title: itemTitle(item, s.serverTitle(item.Server), form.Parse(item.Schema).Fields()),
			Server: s.serverTitle(item.Server), Age: age(time.Since(item.CreatedAt), item.CreatedAt),
		})
	}
	return render(c, http.StatusOK, templates.InboxPage(page))
}

// itemPage draws one item so that it can be answered without script.
func (s *Server) itemPage(c echo.Context) error {
	item, err := s.o.Inbox.Get(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	return s.showItem(c, http.StatusOK, item, form.Parse(item.Schema), "")
}

// answerItem takes the answer. A wrong one comes back with what was typed, but
// for secrets.
func (s *Server) answerItem(c echo.Context) error {
	ctx := c.Request().Context()
	item, err := s.o.Inbox.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	if item.Kind != model.ItemElicitation {
		return model.Errorf(model.CodeInvalid, "this item isn't answered by a form")
	}
	c.Request().Body = http.MaxBytesReader(c.Response(), c.Request().Body, maxForm)
	values, err := c.FormParams()
	if err != nil {
		return model.Errorf(model.CodeTooLarge, "the form can't be read: it may be over 1 MiB")
	}
	answer := model.Answer{Action: model.Action(values.Get("action"))}
	f := form.Parse(item.Schema)
	if answer.Action == model.ActionAccept && item.Mode == model.ElicitForm {
		var ok bool
		if answer.Content, ok = f.Read(values); !ok {
			return s.showItem(c, http.StatusUnprocessableEntity, item, f, fixFields)
		}
	}
	if err := s.o.Inbox.Resolve(ctx, item.ID, answer, s.resolver(ctx)); err != nil {
		return s.unanswered(ctx, c, item, f, err)
	}
	return c.Redirect(http.StatusSeeOther, "/inbox/"+item.ID)
}

func (s *Server) unanswered(ctx context.Context, c echo.Context, item model.Item, f *form.Form, err error) error {
	var gone *inbox.GoneError
	if errors.As(err, &gone) {
		return s.showItem(c, http.StatusConflict, gone.Item, f, "")
	}
	var invalid *inbox.InvalidError
	if errors.As(err, &invalid) {
		rest := ""
		for _, e := range invalid.Fields {
			if !f.Refuse(e.Field, e.Message) {
				rest += sentence(e.Field+" "+e.Message) + " "
			}
		}
		if rest == "" {
			rest = fixFields
		}
		return s.showItem(c, http.StatusUnprocessableEntity, item, f, rest)
	}
	p := problemOf(err)
	if p.Code == model.CodeInvalid {
		return s.showItem(c, p.Status, item, f, sentence(p.Detail))
	}
	return err
}

func (s *Server) showItem(c echo.Context, status int, item model.Item, f *form.Form, problem string) error {
	own, place := s.whereServer(item.Server)
	page := templates.Item{
		ID: item.ID, Server: s.serverTitle(item.Server), Place: place, Tool: item.Tool,
		Asks: asksWords(item.Asker), Message: item.Message, Age: age(time.Since(item.CreatedAt), item.CreatedAt),
		Left: left(time.Until(item.Deadline)), Ended: ended(item), Error: problem,
	}
	switch {
	case item.Kind == model.ItemSignIn:
		page.SignIn, page.Asks = item.Server, "asks you to sign in"
		page.Scopes, page.Refused = item.Scopes, item.Reason == model.ReasonRefused
	case item.Mode == model.ElicitURL:
		page.URL = link(item.URL, own)
	default:
		page.Fields, page.Secret = f.Fields(), f.Secret()
		if !form.Answerable(item.Schema) {
			page.Unanswerable = "The server asks for something that is no form, which the protocol has no answer to. It can only be declined."
		}
	}
	title := itemTitle(item, page.Server, page.Fields)
	page.Page, page.Accept = s.page(title), acceptWords(page.Fields)
	if title == item.Message {
		page.Message = "" // said once
	}
	return render(c, status, templates.ItemPage(page))
}

// whereServer is the host of a server, empty for a program, and where an answer
// goes, in words.
func (s *Server) whereServer(name string) (host, place string) {
	v, err := s.o.Servers.Get(name)
	if err != nil {
		return "", ""
	}
	if v.Config.Transport == model.TransportStdio {
		return "", "a program on this machine"
	}
	u, err := url.Parse(v.Config.URL)
	if err != nil {
		return "", "" // it couldn't have asked
	}
	return u.Hostname(), u.Hostname()
}
