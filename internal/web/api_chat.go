package web

import (
	"bytes"
	"context"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
)

type sessionsInput struct {
	Query  string `query:"query" maxLength:"200" doc:"Finds chats by their title and by what was said"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor"`
}

type sessionsOutput struct{ Body wire.List[wire.Session] }

type sessionOutput struct{ Body wire.SessionDetail }

type newSessionInput struct{ Body wire.NewSession }

type changeSessionInput struct {
	ID   string `path:"id"`
	Body wire.ChangeSession
}

type messagesInput struct {
	ID      string `path:"id"`
	FrameID string `query:"frame_id" doc:"A sub-agent's transcript; left out: the chat's own"`
	Limit   int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor  string `query:"cursor"`
}

type messagesOutput struct{ Body wire.List[wire.Message] }

type sendInput struct {
	ID   string `path:"id"`
	Body wire.Sending
}

type turnOutput struct{ Body wire.Turn }

type grantsInput struct {
	ID   string `path:"id"`
	Body wire.Grants
}

type sessionCallInput struct {
	ID   string `path:"id"`
	Body wire.ToolCall
}

type agentsOutput struct{ Body wire.List[wire.Agent] }

func (s *Server) listSessions(ctx context.Context, in *sessionsInput) (*sessionsOutput, error) {
	views, next, err := s.o.Chat.List(ctx, model.ChatFilter{Query: in.Query, Limit: in.Limit, Cursor: in.Cursor})
	if err != nil {
		return nil, err
	}
	items := make([]wire.Session, len(views))
	for i, v := range views {
		items[i] = wire.SessionOf(v.ChatSession, v.State, v.Waiting)
	}
	return &sessionsOutput{wire.ListOf(items, next)}, nil
}

func (s *Server) createSession(ctx context.Context, in *newSessionInput) (*sessionOutput, error) {
	return chatted(s.o.Chat.Create(ctx, model.ChatSession{
		Title: in.Body.Title, Named: in.Body.Title != "", Agent: in.Body.Agent, Model: in.Body.Model,
	}))
}

func (s *Server) getSession(ctx context.Context, in *idInput) (*sessionOutput, error) {
	return chatted(s.o.Chat.Get(ctx, in.ID))
}

func (s *Server) changeSession(ctx context.Context, in *changeSessionInput) (*sessionOutput, error) {
	return chatted(s.o.Chat.Change(ctx, in.ID, model.ChatChange(in.Body)))
}

func (s *Server) deleteSession(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, s.o.Chat.Delete(ctx, in.ID)
}

func (s *Server) listMessages(ctx context.Context, in *messagesInput) (*messagesOutput, error) {
	messages, next, err := s.o.Chat.Messages(ctx, model.MessageFilter{
		SessionID: in.ID, FrameID: in.FrameID, Limit: in.Limit, Cursor: in.Cursor,
	})
	if err != nil {
		return nil, err
	}
	items := make([]wire.Message, len(messages))
	for i, m := range messages {
		items[i] = wire.MessageOf(m)
	}
	return &messagesOutput{wire.ListOf(items, next)}, nil
}

func (s *Server) sendMessage(ctx context.Context, in *sendInput) (*turnOutput, error) {
	return turned(s.o.Chat.Send(ctx, in.ID, model.Sending(in.Body)))
}

func (s *Server) retryTurn(ctx context.Context, in *idInput) (*turnOutput, error) {
	return turned(s.o.Chat.Retry(ctx, in.ID))
}

func (s *Server) stopTurn(ctx context.Context, in *idInput) (*struct{}, error) {
	return nil, s.o.Chat.Stop(ctx, in.ID)
}

func (s *Server) putGrants(ctx context.Context, in *grantsInput) (*sessionOutput, error) {
	return chatted(s.o.Chat.SetGrants(ctx, in.ID, in.Body.Groups))
}

// runInSession runs a tool for the person: the chat's manual driver.
func (s *Server) runInSession(ctx context.Context, in *sessionCallInput) (*callOutput, error) {
	arguments := in.Body.Arguments
	if bytes.Equal(bytes.TrimSpace(arguments), []byte("null")) {
		arguments = nil
	}
	call, err := s.o.Chat.RunTool(ctx, in.ID, in.Body.Name, arguments, asker(ctx))
	if err != nil || in.Body.WaitMS == 0 {
		return written(call, err)
	}
	if in.Body.WaitMS < 0 || in.Body.WaitMS > maxWait.Milliseconds() {
		return nil, model.Errorf(model.CodeInvalid, "wait_ms: use 0 to 600000")
	}
	ctx, cancel := context.WithTimeout(ctx, time.Duration(in.Body.WaitMS)*time.Millisecond)
	defer cancel()
	return written(s.o.Calls.Wait(ctx, call.ID))
}

func (s *Server) listAgents(ctx context.Context, _ *struct{}) (*agentsOutput, error) {
	var items []wire.Agent
	for _, a := range s.o.Chat.Agents(ctx) {
		items = append(items, wire.AgentOf(a))
	}
	return &agentsOutput{wire.ListOf(items, "")}, nil
}

// exportSession is a chat as a file.
func (s *Server) exportSession(c echo.Context) error {
	title, markdown, err := s.o.Chat.Export(c.Request().Context(), c.Param("id"))
	if err != nil {
		return err
	}
	name := mime.FormatMediaType("attachment", map[string]string{"filename": fileName(title) + ".md"})
	c.Response().Header().Set("Content-Disposition", name)
	return c.Blob(http.StatusOK, "text/markdown; charset=utf-8", []byte(markdown))
}

func chatted(v model.ChatView, err error) (*sessionOutput, error) {
	if err != nil {
		return nil, err
	}
	return &sessionOutput{wire.SessionDetailOf(v)}, nil
}

func turned(turnID string, err error) (*turnOutput, error) {
	if err != nil {
		return nil, err
	}
	return &turnOutput{wire.Turn{TurnID: turnID}}, nil
}

// putMedia keeps a file that the person attaches: the body is its bytes.
func (s *Server) putMedia(c echo.Context) error {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get("Content-Type"))
	if err != nil {
		return model.Errorf(model.CodeInvalid, "Content-Type must say what the file is")
	}
	data, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, maxBody))
	if err != nil {
		return model.Errorf(model.CodeTooLarge, "the file can't be read: it may be over %d MiB", maxBody>>20)
	}
	if len(data) == 0 {
		return model.Errorf(model.CodeInvalid, "the file is empty")
	}
	m, err := s.o.Media.Put(data, kind)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, m)
}

// fileName is a title as the name of a file.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.Cc, unicode.Cf) || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.TrimSpace(title))
	if name == "" {
		return "chat"
	}
	return name
}
