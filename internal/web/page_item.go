package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/agent/outcome"
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
			Server: s.sender(item), Age: age(time.Since(item.CreatedAt), item.CreatedAt),
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
	return s.showItem(c, http.StatusOK, item, form.Parse(item.Schema), nil, "")
}

// answerItem takes the answer. A wrong one comes back with what was typed, but
// for secrets.
func (s *Server) answerItem(c echo.Context) error {
	ctx := c.Request().Context()
	item, err := s.o.Inbox.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	if item.Kind == model.ItemSignIn {
		return model.Errorf(model.CodeInvalid, "this item isn't answered by a form")
	}
	c.Request().Body = http.MaxBytesReader(c.Response(), c.Request().Body, maxForm)
	values, err := c.FormParams()
	if err != nil {
		return model.Errorf(model.CodeTooLarge, "the form can't be read: it may be over 1 MiB")
	}
	f := form.Parse(item.Schema)
	answer, ok := answerFrom(item, f, values)
	if !ok {
		return s.showItem(c, http.StatusUnprocessableEntity, item, f, values, fixFields)
	}
	if err := s.o.Inbox.Resolve(ctx, item.ID, answer, s.resolver(ctx)); err != nil {
		return s.unanswered(c, item, f, values, err)
	}
	return c.Redirect(http.StatusSeeOther, "/inbox/"+item.ID)
}

func (s *Server) unanswered(c echo.Context, item model.Item, f *form.Form, values url.Values, err error) error {
	var gone *inbox.GoneError
	if errors.As(err, &gone) {
		return s.showItem(c, http.StatusConflict, gone.Item, f, nil, "")
	}
	var invalid *inbox.InvalidError
	if errors.As(err, &invalid) {
		rest := ""
		for _, e := range invalid.Fields {
			if !f.Refuse(e.Field, e.Message) {
				rest += sentence(e.Field+" "+e.Message) + " "
			}
		}
		if item.Kind == model.ItemQuestion {
			rest = "Write an answer, or decline."
		}
		return s.showItem(c, http.StatusUnprocessableEntity, item, f, values, cmp.Or(rest, fixFields))
	}
	p := problemOf(err)
	if p.Code == model.CodeInvalid || p.Code == model.CodeTooLarge {
		return s.showItem(c, p.Status, item, f, values, sentence(p.Detail))
	}
	return err
}

// showItem draws an item; values are what was typed, where that was wrong.
func (s *Server) showItem(c echo.Context, status int, item model.Item, f *form.Form, values url.Values, problem string) error {
	own, place := s.whereServer(item.Server)
	page := templates.Item{
		ID: item.ID, Server: s.sender(item), Place: place, Tool: item.Tool,
		Asks: asksWords(item), Chat: chatOf(item), Message: outcome.Visible(item.Message), Age: age(time.Since(item.CreatedAt), item.CreatedAt),
		Left: left(time.Until(item.Deadline)), Ended: ended(item), Error: problem,
	}
	switch {
	case item.Kind == model.ItemSignIn:
		auth := s.o.SignIn.Status(item.Server)
		page.SignIn, page.Refused = item.Server, item.Reason == model.ReasonRefused
		page.Scopes = scopes(auth.Issuer, item.Scopes, auth.Scopes)
	case item.Kind == model.ItemApproval:
		page.Approval, page.Message, page.Tool = approvalView(item, values.Get("note")), "", outcome.Visible(item.Tool)
	case item.Kind == model.ItemQuestion:
		page.Question, page.Error = questionView(item, values.Get("text"), problem), ""
	case item.Kind.Lasting() || item.Kind == model.ItemFinding:
		page.News = true
	case item.Mode == model.ElicitURL:
		page.URL = link(item.URL, own)
	default:
		page.Fields, page.Secret = f.Fields(), f.Secret()
		if !form.Answerable(item.Schema) {
			page.Unanswerable = "The server asks for something that is no form, which the protocol has no answer to. It can only be declined."
		}
	}
	title := itemTitle(item, s.serverTitle(item.Server), page.Fields)
	page.Page, page.Accept = s.page(title), acceptWords(page.Fields)
	switch {
	case page.News:
		page.Message = strings.TrimSpace(strings.TrimPrefix(page.Message, title))
	case title == page.Message:
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
