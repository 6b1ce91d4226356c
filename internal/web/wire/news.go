package wire

import (
	"strconv"
	"time"

	"kontor.dev/kontor/internal/model"
)

// The functions below write an event without its opening brace and number, which
// the stream knows; Numbered puts them in front.

// Numbered makes an event whole.
func Numbered(seq uint64, event []byte) []byte {
	b := make([]byte, 0, len(event)+32)
	b = append(b, `{"seq":`...)
	b = strconv.AppendUint(b, seq, 10)
	return append(b, event...)
}

func head(kind string) []byte {
	b := append(make([]byte, 0, 512), `,"at":`...)
	b = appendTime(b, time.Now())
	return appendMember(b, "type", kind)
}

func with(kind, member string, value any) []byte {
	b := append(head(kind), `,"`+member+`":`...)
	return append(appendJSON(b, value), '}')
}

// ServerNews is a ServerStateEvent.
func ServerNews(s model.Server, st model.Status) []byte {
	return with("server_state", "server", ServerOf(s, st))
}

// ServerRemovedNews is a ServerRemovedEvent.
func ServerRemovedNews(name string) []byte { return with("server_removed", "name", name) }

// CatalogueNews is a CatalogueChangedEvent.
func CatalogueNews(server string) []byte { return with("catalogue_changed", "server", server) }

// CallNews is a CallEvent; kind is its type.
func CallNews(kind string, c model.Call) []byte {
	return append(AppendCallEvent(append(head(kind), `,"call":`...), c), '}')
}

// ItemAddedNews is an ItemAddedEvent.
func ItemAddedNews(it model.Item) []byte { return with("item_added", "item", AnyItemOf(it)) }

// ItemResolvedNews is an ItemResolvedEvent.
func ItemResolvedNews(it model.Item) []byte {
	b := appendMember(head("item_resolved"), "kind", string(it.Kind))
	b = append(b, `,"resolution":`...)
	return append(appendJSON(b, ResolutionOf(it)), '}')
}

// SettingsNews is a SettingsChangedEvent.
func SettingsNews() []byte { return append(head("settings_changed"), '}') }

// SignInNews is a SignInChangedEvent.
func SignInNews(e model.SignInChanged) []byte {
	b := append(head("sign_in_changed"), `,"server":`...)
	b = append(appendJSON(b, e.Server), `,"auth":`...)
	return append(appendJSON(b, authOf(e.Auth)), '}')
}

// LogNews is a LogLine, whole: it has no number.
func LogNews(l model.LogLine) []byte {
	return appendJSON(nil, LogLine{Type: "log_line", Server: l.Server, Line: LogEntryOf(l.Line)})
}
