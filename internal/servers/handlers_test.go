package servers

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/client"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// connected is a rig with one server, ready, and the client's end of it.
func connected(t *testing.T, prepare func(*fakeClient)) (*rig, *fakeClient) {
	t.Helper()
	c := newFakeClient()
	prepare(c)
	r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) { return c, nil }, config("a"))
	synctest.Wait()
	if st := r.state(t, "a"); st.State != model.ServerReady {
		t.Fatalf("status = %+v", st)
	}
	return r, c
}

func TestReadyServerTellsWhatItIs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, _ := connected(t, func(c *fakeClient) {
			c.info.Instructions = "be kind"
			c.info.Warnings = []client.Warning{{Code: "version_unknown", Message: "odd"}}
			c.lists = func(_ context.Context, kind model.ListKind) (client.List, error) {
				switch kind {
				case model.ListTools:
					l := toolList("x", "y")
					l.Warnings = []client.Warning{{Code: client.WarnListCut, Message: "cut", Item: "z"}}
					return l, nil
				case model.ListPrompts:
					return client.List{}, errors.New("no prompts today")
				}
				return toolList("r"), nil
			}
		})
		st := r.state(t, "a")
		if st.Tools != 2 || st.Resources != 1 || st.Prompts != 0 || st.ServerName != "fake" || st.Era != "legacy" ||
			st.ProtocolVersion != "2025-11-25" || st.Instructions != "be kind" {
			t.Errorf("status = %+v", st)
		}
		var got []string
		for _, w := range st.Warnings {
			got = append(got, w.Code+":"+w.Message+":"+w.Tool)
		}
		want := []string{"version_unknown:odd:", "list_cut:cut:z", "seen:tools:", "seen:resources:", "seen:resource_templates:",
			"list_failed:a list could not be read: prompts/list: no prompts today:"}
		if !slices.Equal(got, want) {
			t.Errorf("warnings = %q, want %q", got, want)
		}
		if n := len(r.catalogue.lists["a tools"]); n != 2 {
			t.Errorf("the catalogue has %d tools", n)
		}
	})
}

func TestSlowListDoesNotKeepTheServerFromBeingReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newFakeClient()
		c.lists = func(ctx context.Context, kind model.ListKind) (client.List, error) {
			if kind == model.ListResources {
				<-ctx.Done()
				return client.List{}, context.Cause(ctx)
			}
			return toolList("x"), nil
		}
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) { return c, nil }, config("a"))
		time.Sleep(listGrace + time.Second)
		synctest.Wait()
		st := r.state(t, "a")
		if st.State != model.ServerReady || !slices.Contains(st.Warnings, model.Warning{Code: warnListFailed,
			Message: "a list could not be read: the server did not answer resources/list within 10 s"}) {
			t.Errorf("status = %+v", st)
		}
	})
}

func TestChangedListsAreReadAgainOneAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reads, reading, tools atomic.Int64
		r, c := connected(t, func(c *fakeClient) {
			c.lists = func(_ context.Context, kind model.ListKind) (client.List, error) {
				if kind != model.ListTools || tools.Load() == 0 {
					return client.List{}, nil
				}
				if reading.Add(1) > 1 {
					t.Error("two readings at a time")
				}
				reads.Add(1)
				list := toolList(make([]string, tools.Load())...)
				time.Sleep(time.Second)
				reading.Add(-1)
				return list, nil
			}
		})
		change := func(n int) {
			for range n {
				tools.Add(1)
				c.o.Handlers.Notification("notifications/tools/list_changed", nil)
				time.Sleep(10 * time.Millisecond)
			}
		}
		change(20) // one burst
		time.Sleep(500 * time.Millisecond)
		change(3) // while it is read
		time.Sleep(time.Minute)
		synctest.Wait()
		if reads.Load() != 2 || len(r.catalogue.lists["a tools"]) != 23 || r.state(t, "a").Tools != 23 {
			t.Errorf("read %d times, %d tools", reads.Load(), len(r.catalogue.lists["a tools"]))
		}
	})
}

func TestChangeDuringTheHandshakeIsNotLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tools := []string{"x"}
		c := newFakeClient()
		c.lists = func(_ context.Context, kind model.ListKind) (client.List, error) {
			list := toolList(tools...)
			if kind == model.ListTools && len(tools) == 1 {
				tools = append(tools, "y")
				c.o.Handlers.Notification("notifications/tools/list_changed", nil)
			}
			return list, nil
		}
		r := newRig(t, func(context.Context, model.Server) (*fakeClient, error) { return c, nil }, config("a"))
		// The options are set once connecting returns, before the lists are read.
		time.Sleep(time.Minute)
		if n := r.state(t, "a").Tools; n != 2 {
			t.Errorf("%d tools", n)
		}
	})
}

// When the way of a server's notifications was down, any list may have changed.
func TestEveryListIsReadAgainAfterNotificationsWereMissed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var reads atomic.Int64
		_, c := connected(t, func(c *fakeClient) {
			c.lists = func(context.Context, model.ListKind) (client.List, error) {
				reads.Add(1)
				return toolList("x"), nil
			}
		})
		before := reads.Load()
		c.o.Handlers.Missed()
		time.Sleep(time.Minute)
		if n := reads.Load() - before; n != 4 {
			t.Errorf("%d lists were read", n)
		}
	})
}

func TestQuestionBecomesAnItem(t *testing.T) {
	t.Parallel()
	one := model.Call{ID: "1", Server: "a", Tool: "t", SessionID: "chat", Asker: model.Asker{Kind: "agent"}}
	cases := map[string]struct {
		callIDs []string
		want    model.Item
	}{
		"one call":         {[]string{"1"}, model.Item{CallID: "1", CallIDs: []string{"1"}, Tool: "t", SessionID: "chat", Asker: one.Asker}},
		"several may ask":  {[]string{"1", "2"}, model.Item{CallIDs: []string{"1", "2"}}},
		"the server alone": {nil, model.Item{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, c := connected(t, func(*fakeClient) {})
				r.questions.calls = map[string]model.Call{"1": one, "2": {ID: "2", Tool: "u"}}
				var got model.Item
				r.inbox.ask = func(_ context.Context, item model.Item) (model.Answer, error) {
					got = item
					if r.questions.open.Load() != 1 {
						t.Error("the clocks run")
					}
					return model.Answer{Action: model.ActionAccept, Content: json.RawMessage(`{"pin":"geheimnis","api_token":"t0ken-value"}`)}, nil
				}
				answer, err := c.o.Handlers.Elicit(ctx, client.Question{Mode: "form", Message: "Who?", CallIDs: tc.callIDs,
					Schema: json.RawMessage(`{"properties":{"pin":{"format":"password"}}}`)})
				if err != nil || answer.Action != "accept" || r.questions.open.Load() != 0 {
					t.Errorf("answer = %+v, %v", answer, err)
				}
				if got.Kind != model.ItemElicitation || got.Server != "a" || got.Mode != model.ElicitForm || got.Message != "Who?" ||
					time.Until(got.Deadline) != model.DefaultElicitationTimeout {
					t.Errorf("item = %+v", got)
				}
				if got.CallID != tc.want.CallID || !slices.Equal(got.CallIDs, tc.want.CallIDs) || got.Tool != tc.want.Tool ||
					got.SessionID != tc.want.SessionID || got.Asker != tc.want.Asker {
					t.Errorf("item = %+v, want %+v", got, tc.want)
				}
				if !r.redactor.knows("geheimnis") || !r.redactor.knows("t0ken-value") {
					t.Error("what was typed into masked fields isn't masked")
				}
			})
		})
	}
}

func TestQuestionWhoseCallsAreOverIsCancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(*fakeClient) {})
		r.inbox.ask = func(ctx context.Context, _ model.Item) (model.Answer, error) {
			close(r.questions.over)
			<-ctx.Done()
			return model.Answer{}, context.Cause(ctx)
		}
		if answer, err := c.o.Handlers.Elicit(ctx, client.Question{Mode: "form"}); err != nil || answer.Action != "cancel" {
			t.Errorf("answer = %+v, %v", answer, err)
		}
	})
}

func TestWhatAServerSaysGoesToItsLog(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(*fakeClient) {})
		completed := make(chan string, 1)
		r.inbox.complete = func(server, id string) { completed <- server + " " + id }
		h := c.o.Handlers
		h.Notification("notifications/message", json.RawMessage(`{"level":"warning","logger":"scraper","data":"rate limit\nnear"}`))
		h.Notification("notifications/message", json.RawMessage(`{"level":"loud","data":{"n":1.0}}`))
		h.Notification("notifications/elicitation/complete", json.RawMessage(`{"elicitationId":"e1"}`))
		h.Notification("event/new_email", json.RawMessage(`{"id":1}`))
		h.Note(wire.Note{Kind: wire.NoteNotProtocol, Text: "hello"})
		m, _ := wire.Parse([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":{"password":"x"}}}`))
		h.Trace(client.TraceEvent{Out: true, Message: m, Private: true})
		h.Trace(client.TraceEvent{Message: m})
		refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		h.Trace(client.TraceEvent{Message: wire.Message{ID: m.ID}, Lost: refused})
		for _, line := range []string{"warning scraper: rate limit ⏎ near", `info {"n":1.0}`, "not_protocol hello"} {
			if r.log.count(line) != 1 {
				t.Errorf("no line %q in %q", line, r.log.lines)
			}
		}
		if got := <-completed; got != "a e1" {
			t.Errorf("completed %q", got)
		}
		if want := []string{`a event/new_email {"id":1}`}; !slices.Equal(r.pushes, want) {
			t.Errorf("pushes = %q, want %q", r.pushes, want)
		}
		if v, _ := r.Get("a"); v.Pushes != 1 {
			t.Errorf("%d pushes counted", v.Pushes)
		}
		if len(r.log.bodies) != 3 || !strings.Contains(r.log.bodies[2], "in unanswered nothing listens at this address (connection refused)") || strings.Contains(r.log.bodies[0], "password") || !strings.HasPrefix(r.log.bodies[1], `in response {"jsonrpc"`) {
			t.Errorf("trace = %q", r.log.bodies)
		}
	})
}

func TestLinesOfStderrAreOneEvent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := connected(t, func(*fakeClient) {})
		time.Sleep(time.Second)
		r.events = nil
		r.redactor.Set("x", []string{"hush-hush"})
		for i := range 100 {
			c.o.Handlers.Note(wire.Note{Kind: wire.NoteStderr, Text: fmt.Sprint("line ", i, " hush-hush")})
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if len(r.events) != 1 || r.state(t, "a").LastStderr != "line 99 •••" {
			t.Errorf("%d events, last line %q", len(r.events), r.state(t, "a").LastStderr)
		}
	})
}
