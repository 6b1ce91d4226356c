package calls

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/model"
)

// A call that was refused for want of rights waits for them, however long that takes,
// and is sent again.
func TestACallWaitsForRights(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		granted := false
		sent := 0
		r := newRig(t, func(context.Context, string) (Conn, error) {
			return fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) {
				sent++
				if !granted {
					return nil, model.Errorf(model.CodeInsufficientScope, "more rights")
				}
				return json.RawMessage(text), nil
			}), nil
		})
		r.o.Rights = func(ctx context.Context, call model.Call) error {
			if call.State != model.CallWaitingInput {
				t.Errorf("the call is %s, want waiting_input", call.State)
			}
			time.Sleep(2 * r.config.WithDefaults().CallMax)
			granted = true
			return ctx.Err()
		}
		got, err := r.Run(t.Context(), runTool)
		if err != nil || got.State != model.CallDone || sent != 2 {
			t.Errorf("%s (%v) after %d sends, %v, want done after 2", got.State, got.Error, sent, err)
		}
		if err := r.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestACallWhoseRightsAreNotGrantedFails(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(context.Context, string) (Conn, error) {
		return fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) {
			return nil, model.Errorf(model.CodeInsufficientScope, "more rights")
		}), nil
	})
	r.o.Rights = func(context.Context, model.Call) error {
		return model.Errorf(model.CodeInsufficientScope, "they weren't granted")
	}
	got, err := r.Run(t.Context(), runTool)
	if err != nil || got.State != model.CallFailed || got.Error.Message != "they weren't granted" {
		t.Errorf("%s, %v, %v", got.State, got.Error, err)
	}
}

func TestACallThatIsRefusedAgainAndAgainEnds(t *testing.T) {
	t.Parallel()
	sent, asked := 0, 0
	r := newRig(t, func(context.Context, string) (Conn, error) {
		return fakeConn(func(context.Context, client.ToolCall) (json.RawMessage, error) {
			sent++
			return nil, model.Errorf(model.CodeInsufficientScope, "more rights, %d", sent)
		}), nil
	})
	r.o.Rights = func(context.Context, model.Call) error {
		if asked++; asked > maxRights {
			return model.Errorf(model.CodeInternal, "asked without an end")
		}
		return nil
	}
	got, err := r.Run(t.Context(), runTool)
	if err != nil || got.State != model.CallFailed || got.Error.Code != model.CodeInsufficientScope || asked != maxRights || sent != maxRights+1 {
		t.Errorf("%s (%v), %v, asked %d times and sent %d times", got.State, got.Error, err, asked, sent)
	}
}
