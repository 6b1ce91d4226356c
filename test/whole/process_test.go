package whole

import (
	"net/http"
	"slices"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

func TestAServerThatIsSwitchedOffOrDeletedEnds(t *testing.T) {
	t.Parallel()
	for name, unwanted := range map[string]func(*kontor.Kontor){
		"switched off": func(k *kontor.Kontor) {
			k.Send(http.StatusOK, http.MethodPatch, "/api/servers/stubborn", map[string]bool{"enabled": false}, nil)
		},
		"deleted": func(k *kontor.Kontor) {
			k.Send(http.StatusNoContent, http.MethodDelete, "/api/servers/stubborn", nil, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kontor.Start(t, kontor.Options{})
			k.AddReady("demo", kontor.Demo())
			others := kontor.Descendants(t, k.PID())
			k.AddReady("stubborn", fake(t, "stubborn"))
			own := slices.DeleteFunc(kontor.Descendants(t, k.PID()), func(pid int) bool { return slices.Contains(others, pid) })
			if len(own) != 2 {
				t.Fatalf("the server has processes %v, want itself and its child", own)
			}
			hanging := k.StartCall("mcp__stubborn__hang", `{}`)
			unwanted(k)
			gone(t, own, kontor.Patience)
			if got := k.AwaitCall(hanging.ID, "settled", kontor.Call.Settled); got.State != "unknown" {
				t.Errorf("the call that was on its way is %s, want unknown", got.State)
			}
			if left := kontor.Living(others); len(left) != len(others) {
				t.Errorf("of the other processes %v only %v live", others, left)
			}
			if len(k.Tools("stubborn")) != 0 && name == "deleted" {
				t.Error("the deleted server's tools are still listed")
			}
		})
	}
}
