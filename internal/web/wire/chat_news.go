package wire

import "kontor.dev/kontor/internal/model"

// SessionNews is a SessionChangedEvent.
func SessionNews(v model.ChatView) []byte {
	return with("session_changed", "session", SessionDetailOf(v))
}

// SessionRemovedNews is a SessionRemovedEvent.
func SessionRemovedNews(id string) []byte { return with("session_removed", "id", id) }

// TurnStartedNews is a TurnStartedEvent.
func TurnStartedNews(e model.TurnStarted) []byte {
	b := appendMember(head("turn_started"), "session_id", e.SessionID)
	return append(appendMember(b, "turn_id", e.TurnID), '}')
}

// TurnDoneNews is a TurnDoneEvent.
func TurnDoneNews(e model.TurnEnded) []byte {
	b := appendMember(head("turn_done"), "session_id", e.SessionID)
	b = appendMember(appendMember(b, "turn_id", e.TurnID), "state", e.State)
	if e.Error != nil {
		b = append(b, `,"error":`...)
		b = appendJSON(b, e.Error)
	}
	return append(b, '}')
}

// DeltaNews is a MessageDeltaEvent.
func DeltaNews(e model.MessageDelta) []byte {
	b := head("message_delta")
	for _, m := range []struct{ name, value string }{
		{"session_id", e.SessionID}, {"frame_id", e.FrameID}, {"message_id", e.MessageID}, {"kind", string(e.Kind)},
		{"use_id", e.UseID}, {"name", e.Name}, {"code", e.Code}, {"text", e.Text},
	} {
		b = appendMember(b, m.name, m.value)
	}
	if !e.Until.IsZero() {
		b = append(b, `,"until":`...)
		b = appendJSON(b, At(e.Until))
	}
	b = append(b, `,"part":`...)
	b = appendJSON(b, e.Part)
	b = append(b, `,"offset":`...)
	return append(appendJSON(b, e.Offset), '}')
}

// MessageNews is a MessageDoneEvent.
func MessageNews(m model.ChatMessage) []byte { return with("message_done", "message", MessageOf(m)) }

// ReplacedNews is a MessagesReplacedEvent.
func ReplacedNews(e model.MessagesReplaced) []byte {
	b := appendMember(head("messages_replaced"), "session_id", e.SessionID)
	return append(appendMember(b, "from", e.From), '}')
}

// FrameNews is a FrameChangedEvent.
func FrameNews(f model.Frame) []byte { return with("frame_changed", "frame", FrameOf(f)) }

// ModelsNews is a ModelsChangedEvent.
func ModelsNews() []byte { return append(head("models_changed"), '}') }

// PoliciesNews is a PoliciesChangedEvent.
func PoliciesNews() []byte { return append(head("policies_changed"), '}') }
