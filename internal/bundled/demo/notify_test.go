package demo

import (
	"context"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestNotifyPushesAnyMethod(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		p.call(t, "notify", map[string]any{
			"method": "event/new_email", "subject": "Hi <there>", "dedup_key": "mail-1", "count": 3,
		})
		p.heard.await(t, `"method":"event/new_email"`, 3)
		p.heard.await(t, `"_meta":{"pi_dedup_key":"mail-1"}`, 3)
		p.heard.await(t, `"number":3`, 1)
		if got := p.heard.count("notifications/progress") + p.heard.count("kontor.dev/event"); got != 0 {
			t.Errorf("heard the carrier %d times", got)
		}
	})
}

func TestNotifyPushesOutsideOfTheCall(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		result := p.call(t, "notify", map[string]any{"detached": true})
		if w.transport == "http" && w.revision == newer {
			if !result.IsError {
				t.Error("a push without a stream to go out on is no error")
			}
			return
		}
		if result.IsError {
			t.Errorf("got %q", text(t, result))
		}
		p.heard.await(t, `"method":"event/demo"`, 1)
	})
}

func TestNotifyChangesTheListOfTools(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		changed := make(chan struct{}, 10)
		p := connect(t, w, &mcp.ClientOptions{
			ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} },
		})
		// In the newer revision the client's listen stream must be open first.
		if w.revision == newer {
			p.heard.await(t, "notifications/subscriptions/acknowledged", 1)
		}
		for _, tt := range []struct {
			tools string
			want  bool
		}{{"add", true}, {"remove", false}} {
			p.call(t, "notify", map[string]any{"count": 0, "tools": tt.tools})
			<-changed
			list, err := p.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := slices.ContainsFunc(list.Tools, func(tool *mcp.Tool) bool { return tool.Name == surprise })
			if got != tt.want {
				t.Errorf("after %s: surprise is there: %v", tt.tools, got)
			}
		}
	})
}
