package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
)

// cheapServer is started thousands of times: a shell is up at once.
const (
	legacyInitialized = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"cheap","version":"1"}}`
	modernDiscovered  = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"cheap","version":"1"}}}`
	oneTool           = `{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}]}`
	cheapServer       = `while IFS= read -r line; do
  id=${line#*'"id":'}; id=${id%%,*}
  case $line in
  *'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":` + legacyInitialized + `}\n' "$id" ;;
  *'"method":"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":` + oneTool + `}\n' "$id" ;;
  *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\n' "$id" ;;
  esac
done
`
)

// scriptServer is a legacy server over stdio.
func scriptServer(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cheap-server.sh")
	if err := os.WriteFile(path, []byte(cheapServer), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// addressServer is two servers, /legacy and /modern, with streams that stay open.
func addressServer(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /legacy", func(w http.ResponseWriter, r *http.Request) { hold(w, r, "") })
	mux.HandleFunc("DELETE /legacy", func(http.ResponseWriter, *http.Request) {})
	mux.HandleFunc("POST /legacy", answer(map[string]string{"initialize": legacyInitialized, "tools/list": oneTool}))
	mux.HandleFunc("POST /modern", answer(map[string]string{"server/discover": modernDiscovered, "tools/list": oneTool}))
	s := httptest.NewServer(mux)
	t.Cleanup(func() {
		s.CloseClientConnections() // a stream that was left open must not hold up the verdict
		s.Close()
	})
	return s.URL
}

func answer(results map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		if m.Method == "subscriptions/listen" {
			hold(w, r, fmt.Sprintf("data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":"+
				"{\"notifications\":{\"toolsListChanged\":true},\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}}}\n\n", m.ID))
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if m.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "one")
		}
		if result, ok := results[m.Method]; ok {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`, m.ID)
	}
}

// hold answers with a stream that lasts as long as the client wants it.
func hold(w http.ResponseWriter, r *http.Request, first string) {
	w.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprint(w, first)
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}
