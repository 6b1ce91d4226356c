package client

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kontor.dev/kontor/internal/mcp/wire"
)

func TestAListIsAsFreshAsItsShortestPage(t *testing.T) {
	t.Parallel()
	ms := func(n int) *time.Duration { d := time.Duration(n) * time.Millisecond; return &d }
	for name, c := range map[string]struct {
		pages []string // what stands for ttlMs
		want  *time.Duration
	}{
		"nothing said":     {[]string{`null`, `"5"`, `1.5`, `-1`}, nil},
		"stale at once":    {[]string{`0`}, ms(0)},
		"the shortest":     {[]string{`9000`, `5000`, `null`}, ms(5000)},
		"longer than time": {[]string{`9223372036854775807`}, ms(9223372036854)},
	} {
		synctest.Test(t, func(t *testing.T) {
			page := 0
			s := newScripted(func(m wire.Message) string {
				if m.Method == "server/discover" {
					return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
				}
				page++
				cursor := ""
				if page < len(c.pages) {
					cursor = fmt.Sprintf(`,"nextCursor":"%d"`, page)
				}
				return fmt.Sprintf(`{"resultType":"complete","tools":[],"ttlMs":%s%s}`, c.pages[page-1], cursor)
			})
			client := connectModern(t, s, false, Handlers{})
			list, err := client.ListTools(t.Context())
			if err != nil || (list.TTL == nil) != (c.want == nil) || c.want != nil && *list.TTL != *c.want {
				t.Errorf("%s: got %v, %v, want %v", name, list.TTL, err, c.want)
			}
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// The official Go SDK puts ttlMs into answers of the older era, too, where it means
// nothing.
func TestALegacyListHasNoAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		client := connect(t, newScripted(func(wire.Message) string { return `{"tools":[],"ttlMs":5}` }), Handlers{})
		if list, err := client.ListTools(t.Context()); err != nil || list.TTL != nil {
			t.Errorf("got %v, %v", list.TTL, err)
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestHearsWhileTheSubscriptionIsOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newScripted(func(m wire.Message) string {
			if m.Method == "server/discover" {
				return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true},"prompts":{"listChanged":true}}}`
			}
			return ""
		})
		c := connectModern(t, s, false, Handlers{Notification: func(string, json.RawMessage) {}})
		synctest.Wait()
		hears := func() string { return fmt.Sprint(c.Hears("tools"), c.Hears("prompts"), c.Hears("resources")) }
		if got := hears(); got != "false false false" {
			t.Errorf("before it is open: %s", got)
		}
		requests := s.saw(wire.Request)
		id := requests[len(requests)-1].ID
		s.say(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, id)
		synctest.Wait()
		if got := hears(); got != "true false false" {
			t.Errorf("once it is open, for tools only: %s", got)
		}
		s.say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"over"}}`, id)
		synctest.Wait()
		if got := hears(); got != "false false false" {
			t.Errorf("once it has ended: %s", got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}
