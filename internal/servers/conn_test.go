package servers

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

func TestReplacedConnectionEndsItsCallsFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		answer := make(chan struct{})
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			c := newFakeClient()
			c.call = func(context.Context, client.ToolCall) (json.RawMessage, error) {
				<-answer
				if c.isClosed() {
					return nil, wire.ErrClosed
				}
				return json.RawMessage(`{}`), nil
			}
			return c, nil
		}, config("a"))
		conn, err := r.Conn(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		result := make(chan error)
		go func() {
			_, err := conn.CallTool(ctx, client.ToolCall{Name: "x"})
			result <- err
		}()
		s := config("a")
		s.Command = "new"
		if _, err := r.Update(ctx, s, UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if now, err := r.Conn(ctx, "a"); err != nil || now == conn {
			t.Errorf("new calls don't get the new connection: %v", err)
		}
		close(answer)
		if err := <-result; err != nil {
			t.Errorf("the call on the old connection: %v", err)
		}
		synctest.Wait()
		if _, err := conn.CallTool(ctx, client.ToolCall{Name: "x"}); model.CodeOf(err) != codeConnectionLost {
			t.Errorf("a late call on the old connection: %v", err)
		}
		if !conn.client.(*fakeClient).isClosed() {
			t.Error("the old connection stays open")
		}
	})
}

func TestCallThatNeedsSignInTakesTheServerOutOfService(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			c := newFakeClient()
			c.call = func(context.Context, client.ToolCall) (json.RawMessage, error) {
				return nil, &wire.HTTPError{Status: 401}
			}
			return c, nil
		}, config("a"))
		conn, err := r.Conn(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.CallTool(ctx, client.ToolCall{}); model.CodeOf(err) != model.CodeNeedsSignIn {
			t.Errorf("err = %v", err)
		}
		synctest.Wait()
		if st := r.state(t, "a"); st.State != model.ServerNeedsSignIn || !conn.client.(*fakeClient).isClosed() {
			t.Errorf("status = %+v", st)
		}
	})
}

func TestDisablingEndsReplacedConnectionsToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) {
			c := newFakeClient()
			c.call = func(context.Context, client.ToolCall) (json.RawMessage, error) {
				<-c.done
				return nil, wire.ErrClosed
			}
			return c, nil
		}, config("a"))
		conn, err := r.Conn(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		result := make(chan error)
		go func() { result <- second(conn.CallTool(ctx, client.ToolCall{})) }()
		s := config("a")
		s.Command = "new"
		if _, err := r.Update(ctx, s, UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if _, err := r.SetEnabled(ctx, "a", false); err != nil {
			t.Fatal(err)
		}
		if err := <-result; model.CodeOf(err) != codeConnectionLost {
			t.Errorf("err = %v", err)
		}
	})
}

func TestReadsHaveALimitThatWaitsForPeople(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(c *fakeClient) {
			c.read = func(ctx context.Context) (json.RawMessage, error) {
				<-ctx.Done()
				return nil, context.Cause(ctx)
			}
		})
		conn, err := r.Conn(ctx, "a")
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := conn.ReadResource(ctx, "r://1"); model.CodeOf(err) != model.CodeTimeout || time.Since(start) != model.DefaultCallTimeout {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		const thinking = 3*time.Minute + 30*time.Second
		r.inbox.ask = func(context.Context, model.Item) (model.Answer, error) {
			time.Sleep(thinking)
			return model.Answer{Action: model.ActionDecline}, nil
		}
		c.read = func(ctx context.Context) (json.RawMessage, error) {
			_, err := c.o.Handlers.Elicit(ctx, client.Question{Mode: "form"})
			return json.RawMessage(`{}`), err
		}
		if _, err := conn.ReadResource(ctx, "r://1"); err != nil {
			t.Errorf("with a question: %v", err)
		}
	})
}
