package cases

import (
	"net/http"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// eras is how a server shows which of the two it belongs to.
func eras() []fault {
	return []fault{
		{
			name:   "silent-until-initialize",
			server: silentUntilInitialize(),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				if s := k.AwaitState(name, "ready"); s.Status.Era != "legacy" || s.Status.Attempts != 0 {
					t.Errorf("got %+v", s.Status)
				}
				logged(t, k, name, "stderr: first server/discover")
				if n := strings.Count(k.Log(name), "stderr: first "); n != 1 {
					t.Errorf("the server was started %d times", n)
				}
				// What it is has been learnt: the next start doesn't wait for it again.
				k.Post("/api/servers/"+name+"/reconnect", nil, nil)
				logged(t, k, name, "stderr: first initialize")
				k.AwaitState(name, "ready")
			},
		},
		{
			name:   "versions-must-agree",
			server: server{modern: true, tools: echo},
			over:   agreeing("2026-07-28", "io.modelcontextprotocol/protocolVersion"),
			check:  agrees("modern", "2026-07-28"),
		},
		{
			name:   "versions-must-agree-after-the-fallback",
			server: server{tools: echo},
			over:   agreeing("2025-11-25", ""),
			check:  agrees("legacy", "2025-11-25"),
		},
	}
}

func silentUntilInitialize() server {
	asked, initialized := false, false
	s := server{tools: echo}
	quietly := func(m message, _ func(string)) string {
		if !asked {
			asked = true
			tell("first %s", m.Method)
		}
		if m.Method == "initialize" {
			initialized = true
		}
		if !initialized {
			return ""
		}
		return s.usual(m)
	}
	return server{tools: echo, on: map[string]handler{
		"server/discover": quietly, "initialize": quietly, "tools/list": quietly, "tools/call": quietly,
	}}
}

// agreeing answers 400 to a request whose header doesn't say the version, or, where
// there is a place for it in the body, whose body says another. An initialize goes
// before a version is settled, and a probe of the other era is refused as it is.
func agreeing(version, meta string) func(http.Handler) http.Handler {
	return func(usual http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				m := received(r)
				header := r.Header.Get("Mcp-Protocol-Version")
				said := str(member(member(m.Params, "_meta"), meta))
				if m.Method != "initialize" && (header != version || meta != "" && m.ID != nil && said != header) {
					http.Error(w, "the header says "+header+", the message "+said, http.StatusBadRequest)
					return
				}
			}
			usual.ServeHTTP(w, r)
		})
	}
}

func agrees(era, version string) func(*testing.T, *kontor.Kontor, string) {
	return func(t *testing.T, k *kontor.Kontor, name string) {
		if s := k.AwaitState(name, "ready"); s.Status.Era != era || s.Status.ProtocolVersion != version {
			t.Errorf("got %+v, want %s %s", s.Status, era, version)
		}
		done(t, k, name, "echo", `{}`)
		quiet(t, k, name)
	}
}
