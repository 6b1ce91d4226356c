package web

import (
	"encoding/json"
	"net/http"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/hub"
	"kontor.dev/kontor/internal/web/wire"
)

// socket is one browser's stream of news, from `since` on. It ends when its
// session or token does.
func (s *Server) socket(c echo.Context) error {
	if !websocket.IsWebSocketUpgrade(c.Request()) {
		return wire.NewProblem(wire.CodeBadRequest, "This address takes WebSocket connections only.")
	}
	upgrader := websocket.Upgrader{
		ReadBufferSize: 1024, WriteBufferSize: 4096,
		CheckOrigin: func(*http.Request) bool { return true }, // checkOrigin did, for HTTP alike
	}
	ws, err := upgrader.Upgrade(c.Response(), c.Request(), nil)
	if err != nil {
		return nil // the upgrader has answered
	}
	ctx, release := s.o.Access.Watch(c.Request().Context(), identityOf(c.Request().Context()))
	defer release()
	var conn *hub.Conn
	s.o.Hub.Serve(ctx, ws, c.QueryParam("since"), func(from *hub.Conn, data []byte) {
		conn = from
		s.topics.listen(from, data)
	})
	s.topics.leave(conn)
	return nil
}

// listen reads what a client wants to hear. What isn't a subscription is ignored:
// a newer page may know more topics.
func (t *topics) listen(conn *hub.Conn, data []byte) {
	var sub wire.Subscription
	if json.Unmarshal(data, &sub) != nil || sub.Topic != topicLog && sub.Topic != topicTrace {
		return
	}
	switch at := (topic{sub.Topic, sub.Server}); sub.Type {
	case "subscribe":
		t.join(at, conn)
	case "unsubscribe":
		t.part(at, conn)
	}
}
