package cases

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kontor.dev/kontor/test/kontor"
)

// listing is how servers say what they offer.
func listing() []fault {
	return []fault{
		{
			name: "offers-tools-only",
			server: server{tools: echo, on: map[string]handler{
				"prompts/list": asked, "resources/list": asked, "resources/templates/list": asked,
			}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				done(t, k, name, "echo", `{}`)
				if strings.Contains(k.Log(name), "asked for") {
					t.Errorf("it was asked for what it didn't declare:\n%s", k.Log(name))
				}
			},
		},
		{
			name: "declares-lists-it-does-not-have",
			server: server{tools: echo, resources: "-", prompts: "-", on: map[string]handler{
				"prompts/list": asked, "resources/list": asked, "resources/templates/list": asked,
			}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				for _, method := range []string{"prompts/list", "resources/list", "resources/templates/list"} {
					logged(t, k, name, "asked for "+method)
				}
			},
		},
		{
			name: "lists-of-two-pages",
			server: server{tools: "-", resources: "-", templates: "-", prompts: "-", on: map[string]handler{
				"tools/list":               pages("tools", `{"name":"n-%d","inputSchema":{"type":"object"}}`),
				"resources/list":           pages("resources", `{"name":"n-%d","uri":"r://%[1]d"}`),
				"resources/templates/list": pages("resourceTemplates", `{"name":"n-%d","uriTemplate":"t://%[1]d/{x}"}`),
				"prompts/list":             pages("prompts", `{"name":"n-%d"}`),
			}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				for path, want := range map[string]int{"/api/tools": 60, "/api/resources": 120, "/api/prompts": 60} {
					var list struct{ Items []struct{ Name string } }
					k.Get(path+"?limit=500&server="+name, &list)
					if len(list.Items) != want {
						t.Errorf("%s: got %d, want %d", path, len(list.Items), want)
					}
				}
			},
		},
		{
			name: "null-ends-the-list",
			server: server{tools: "-", on: map[string]handler{
				"tools/list": always(`{"tools":[` + echo + `],"nextCursor":null}`),
			}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				done(t, k, name, "echo", `{}`)
			},
		},
		{
			name:   "a-call-adds-a-tool",
			server: growing(`{"tools":{"listChanged":true}}`),
			check:  grows,
		},
		{
			name:   "a-call-adds-a-tool-unannounced",
			server: growing(`{"tools":{}}`),
			check:  grows,
		},
		{
			name:   "tells-of-changes-to-listeners-only",
			server: server{modern: true, tools: "-"},
			over:   growingForListeners,
			check:  grows,
		},
		{
			name: "the-longest-of-names-among-many",
			server: server{tools: manyTools(200, "") + `,{"name":"` + strings.Repeat("n", 70) + `","inputSchema":{"type":"object"}}`,
				on: map[string]handler{"tools/call": calledName}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				quiet(t, k, name)
				tools := k.Tools(name)
				long := strings.Repeat("n", 70)
				if len(tools) != 201 || tools[long].Name != "mcp__"+name+"__"+long {
					t.Errorf("got %d tools, the long one as %q", len(tools), tools[long].Name)
				}
				for _, tool := range []string{"tool-199", long} {
					if got := done(t, k, name, tool, `{}`); got != tool {
						t.Errorf("%s was called as %s", tool, got)
					}
				}
			},
		},
	}
}

// asked says that a list was asked for, and that there is none.
func asked(m message, _ func(string)) string {
	tell("asked for %s", m.Method)
	return notFound
}

// pages are two of 30 entries. The second is for who gives the cursor back unchanged.
func pages(list, entry string) handler {
	page := func(from int, more string) string {
		all := make([]string, 30)
		for i := range all {
			all[i] = fmt.Sprintf(entry, from+i)
		}
		return complete(`"` + list + `":[` + strings.Join(all, ",") + `]` + more)
	}
	return func(m message, _ func(string)) string {
		switch cursor := string(member(m.Params, "cursor")); cursor {
		case "":
			return page(0, `,"nextCursor":"AQ=="`)
		case `"AQ=="`:
			return page(30, "")
		default:
			return `error {"code":-32602,"message":"no such cursor"}`
		}
	}
}

// calledName answers the name that a tool was called by.
func calledName(m message, _ func(string)) string { return text(str(member(m.Params, "name"))) }

const listChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// growing has a tool that adds another.
func growing(capabilities string) server {
	tools := echo
	return server{tools: "-", on: map[string]handler{
		"initialize": always(`{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"serverInfo":{"name":"fake","version":"1"}}`),
		"tools/list": func(message, func(string)) string { return complete(`"tools":[` + tools + `]`) },
		"tools/call": func(_ message, say func(string)) string {
			tools = echo + `,{"name":"new","inputSchema":{"type":"object"}}`
			say(listChanged)
			return text("added")
		},
	}}
}

func grows(t *testing.T, k *kontor.Kontor, name string) {
	k.AwaitState(name, "ready")
	news := k.Listen()
	done(t, k, name, "echo", `{}`)
	called := time.Now()
	kontor.Poll(t, kontor.Patience, "the new tool", func() bool { return len(k.Tools(name)) == 2 })
	if took := time.Since(called); took > 10*time.Second {
		t.Errorf("the new tool was there after %s", took)
	}
	kontor.Poll(t, kontor.Patience, "news of it", func() bool {
		return slices.ContainsFunc(strings.Split(news.Text(), "\n"), func(line string) bool {
			return strings.Contains(line, `"catalogue_changed"`) && strings.Contains(line, `"`+name+`"`)
		})
	})
	done(t, k, name, "new", `{}`)
	if got := slices.Sorted(maps.Keys(k.Tools(name))); !slices.Equal(got, []string{"echo", "new"}) {
		t.Errorf("got %q", got)
	}
}

// growingForListeners is the newer era's way: who wants to hear of a change holds a
// request open for it (2026-07-28, subscriptions/listen).
func growingForListeners(usual http.Handler) http.Handler {
	var mu sync.Mutex
	tools, listeners := echo, map[chan struct{}]bool{}
	list := on("tools/list", func(w http.ResponseWriter, _ *http.Request, m message) {
		mu.Lock()
		defer mu.Unlock()
		answerJSON(w, response(m.ID, complete(`"tools":[`+tools+`]`)))
	})
	call := on("tools/call", func(w http.ResponseWriter, _ *http.Request, m message) {
		mu.Lock()
		defer mu.Unlock()
		tools = echo + `,{"name":"new","inputSchema":{"type":"object"}}`
		for changed := range listeners {
			close(changed)
		}
		clear(listeners)
		answerJSON(w, response(m.ID, complete(`"content":[]`)))
	})
	discover := on("server/discover", func(w http.ResponseWriter, _ *http.Request, m message) {
		answerJSON(w, response(m.ID, complete(`"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"fake","version":"1"}`)))
	})
	subscribe := on("subscriptions/listen", func(w http.ResponseWriter, r *http.Request, m message) {
		changed := make(chan struct{})
		mu.Lock()
		listeners[changed] = true
		mu.Unlock()
		send := stream(w)
		meta := `"_meta":{"io.modelcontextprotocol/subscriptionId":` + string(m.ID) + `}`
		send("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{%s,\"notifications\":{\"toolsListChanged\":true}}}\n\n", meta)
		select {
		case <-changed:
			send("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{%s}}\n\n", meta)
			<-r.Context().Done()
		case <-r.Context().Done():
		}
	})
	return discover(list(call(subscribe(usual))))
}
