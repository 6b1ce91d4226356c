package wire

import (
	"bytes"
	"encoding/json"
	"strconv"

	mcp "kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// EventCut is the size above which an event leaves a call's values out.
const EventCut = 64 << 10

// detail is how much of a call is written.
type detail int

const (
	whole    detail = iota
	noResult        // for lists: the result is left out
	noValues        // for large events: the arguments too
)

// AppendCall writes a call as JSON (shape Call). Arguments and results are spliced
// in as the bytes that they are: decoding them would cost most of the time of a
// large result, and every number its exactness.
func AppendCall(b []byte, c model.Call) []byte {
	return appendCall(b, c, whole)
}

// AppendCallEvent is AppendCall without the values when they are above EventCut.
func AppendCallEvent(b []byte, c model.Call) []byte {
	switch {
	case callSize(c) <= EventCut:
		return appendCall(b, c, whole)
	case len(c.Arguments) <= EventCut:
		return appendCall(b, c, noResult)
	}
	return appendCall(b, c, noValues)
}

func appendCall(b []byte, c model.Call, d detail) []byte {
	arguments, result := c.Arguments, c.Result
	if d >= noResult {
		result = model.Result{Type: c.Result.Type, IsError: c.Result.IsError}
	}
	if d >= noValues {
		arguments = nil
	}
	answered := !c.State.Open()
	b = append(b, `{"id":`...)
	b = appendString(b, c.ID)
	b = appendMember(b, "name", c.Name())
	b = appendMember(b, "server", c.Server)
	b = appendMember(b, "tool", c.Tool)
	b = append(b, `,"arguments":`...)
	b = appendRaw(b, arguments)
	b = appendMember(b, "state", string(c.State))
	b = append(b, `,"asker":`...)
	b = appendAsker(b, c.Asker)
	b = appendMember(b, "session_id", c.SessionID)
	b = appendResult(b, result, answered && d == whole)
	if c.Error != nil {
		b = append(b, `,"error":`...)
		b = appendJSON(b, c.Error)
	}
	if c.Progress != nil {
		b = append(b, `,"progress":`...)
		b = appendJSON(b, c.Progress)
	}
	b = append(b, `,"started_at":`...)
	b = appendTime(b, c.StartedAt)
	b = append(b, `,"ended_at":`...)
	if c.EndedAt.IsZero() {
		b = append(b, "null"...)
	} else {
		b = appendTime(b, c.EndedAt)
	}
	if ms := c.Waited.Milliseconds(); ms > 0 {
		b = append(b, `,"waited_ms":`...)
		b = strconv.AppendInt(b, ms, 10)
	}
	if c.Unstored {
		b = append(b, `,"unstored":true`...)
	}
	if d == noValues || d == noResult && answered {
		b = append(b, `,"cut":true`...)
	}
	return append(b, '}')
}

func appendResult(b []byte, r model.Result, answered bool) []byte {
	kind := r.Type
	if kind == "" {
		kind = model.ResultString
	}
	b = appendMember(b, "result_type", string(kind))
	b = append(b, `,"result":`...)
	switch {
	case !answered:
		b = append(b, "null"...)
	case kind == model.ResultJSON:
		b = appendRaw(b, json.RawMessage(r.Text))
	default:
		b = appendString(b, r.Text)
	}
	b = append(b, `,"structured":`...)
	b = appendRaw(b, r.Structured)
	b = append(b, `,"content":[`...)
	for i, block := range r.Content {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendContent(b, block)
	}
	b = append(b, `],"is_error":`...)
	b = strconv.AppendBool(b, r.IsError)
	b = append(b, `,"media":[`...)
	for i, m := range r.Media() {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendJSON(b, m)
	}
	return append(b, ']')
}

// appendContent is model.Content's JSON with the text written by appendString and
// raw parts spliced: a block may be megabytes.
func appendContent(b []byte, c model.Content) []byte {
	b = append(b, `{"kind":`...)
	b = appendString(b, string(c.Kind))
	for _, m := range [...]struct{ name, value string }{
		{"text", c.Text}, {"uri", c.URI}, {"name", c.Name}, {"mime_type", c.MIMEType}, {"problem", c.Problem},
	} {
		if m.value != "" {
			b = appendMember(b, m.name, m.value)
		}
	}
	if c.Media != nil {
		b = append(b, `,"media":`...)
		b = appendJSON(b, c.Media)
	}
	if len(c.Annotations) > 0 {
		b = append(b, `,"annotations":`...)
		b = appendRaw(b, c.Annotations)
	}
	if len(c.Raw) > 0 {
		b = append(b, `,"raw":`...)
		b = appendRaw(b, c.Raw)
	}
	return append(b, '}')
}

func appendAsker(b []byte, a model.Asker) []byte {
	b = append(b, `{"kind":`...)
	b = appendString(b, a.Kind)
	if a.Label != "" {
		b = appendMember(b, "label", a.Label)
	}
	return append(b, '}')
}

// CallSize is about the length of a call as AppendCall writes it.
func CallSize(c model.Call) int {
	size := callSize(c)
	return 1024 + size + size/16 // the rest for escapes
}

func callSize(c model.Call) int {
	size := len(c.Arguments) + len(c.Result.Text) + len(c.Result.Structured)
	for _, block := range c.Result.Content {
		size += len(block.Text) + len(block.Raw) + len(block.Annotations)
	}
	return size
}

func appendMember(b []byte, name, value string) []byte {
	b = append(b, ',', '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	return appendString(b, value)
}

func appendRaw(b []byte, raw json.RawMessage) []byte {
	if len(bytes.TrimSpace(raw)) == 0 {
		return append(b, "null"...)
	}
	return append(b, Clean(raw)...)
}

// appendString is a JSON string without the escapes that are for HTML only.
func appendString(b []byte, s string) []byte { return mcp.AppendString(b, s) }

// appendJSON encodes small values of our own types, which can't fail to encode.
func appendJSON(b []byte, v any) []byte {
	w := bytes.NewBuffer(b)
	if Encode(w, v) != nil {
		return append(b, "null"...)
	}
	out := w.Bytes()
	return out[:len(out)-1] // Encode ends with a newline
}

// AppendCalls writes a page of calls (shape List[Call]) without their results.
func AppendCalls(b []byte, items []model.Call, next string) []byte {
	b = append(b, `{"items":[`...)
	for i, c := range items {
		if i > 0 {
			b = append(b, ',')
		}
		d := noResult
		if len(c.Arguments) > EventCut {
			d = noValues
		}
		b = appendCall(b, c, d)
	}
	b = append(b, `],"next":`...)
	if next == "" {
		b = append(b, "null"...)
	} else {
		b = appendString(b, next)
	}
	return append(b, '}')
}
