package anthropic

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/packages/ssestream"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/exchange"
)

// reading is one answer under way.
type reading struct {
	answer llm.Answer
	blocks map[int64]*block
	usage  llm.Usage
	reason llm.Reason // empty until the provider gave one
	done   bool       // message_stop came
}

// block is a content block under way that is a call.
type block struct {
	at    int
	input string // what it began with, for servers that send no pieces
	grew  bool
	over  bool
}

// run reads the stream to its end.
func (r *reading) run(x *exchange.Exchange, res *http.Response, yield func(llm.Event, error) bool) {
	emit := func(events []llm.Event, err error) bool {
		for _, e := range events {
			if !yield(e, nil) {
				return false
			}
		}
		if err != nil {
			yield(nil, x.Failure(err))
		}
		return err == nil
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind == "application/json" {
		body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
		emit(nil, x.Said(body))
		return
	}
	events := ssestream.NewDecoder(res)
	for !r.done && events.Next() {
		if x.Context().Err() != nil && r.reason == "" {
			emit(nil, x.Context().Err())
			return
		}
		if !emit(r.event(x, events)) {
			return
		}
	}
	if r.reason == "" {
		emit(nil, x.FailureOr(events.Err()))
		return
	}
	emit(r.answer.Finish(r.reason, r.usage), nil)
}

// event reads one event. Its kind is in its data too, so that servers that name
// no events are understood; unknown kinds are passed over, as the API asks.
func (r *reading) event(x *exchange.Exchange, events ssestream.Decoder) ([]llm.Event, error) {
	data := bytes.TrimSpace(events.Event().Data)
	if len(data) == 0 || bytes.HasPrefix(data, []byte("[DONE]")) {
		return nil, nil
	}
	var e sdk.MessageStreamEventUnion
	if !json.Valid(data) || json.Unmarshal(data, &e) != nil {
		switch {
		case events.Next():
		case r.reason != "": // half of the end
			return nil, nil
		default: // half an event, at the end
			return nil, x.Cut()
		}
		return nil, x.Unreadable(string(data))
	}
	switch e.Type {
	case "error":
		return nil, x.Said(data)
	case "message_start":
		u := e.Message.Usage
		r.price(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens)
	case "content_block_start":
		return r.start(e)
	case "content_block_delta":
		return r.delta(x, e)
	case "content_block_stop":
		return r.stop(e)
	case "message_delta":
		u := e.Usage
		r.price(u.InputTokens, u.CacheReadInputTokens, u.CacheCreationInputTokens, u.OutputTokens)
		if s := e.Delta.StopReason; s != "" {
			r.reason = reason(s)
			x.Linger()
		}
	case "message_stop":
		if r.done = true; r.reason == "" {
			r.reason = llm.ReasonStop
		}
	}
	return nil, nil
}

func (r *reading) start(e sdk.MessageStreamEventUnion) ([]llm.Event, error) {
	b := e.ContentBlock
	switch b.Type {
	case "text":
		return r.answer.Text(b.Text)
	case "thinking":
		return r.answer.Reasoning(b.Thinking, b.Signature)
	case "redacted_thinking":
		return nil, r.answer.Redacted(b.Data)
	case "tool_use":
		at, events := r.answer.Call(b.ID, b.Name)
		r.blocks[e.Index] = &block{at: at, input: b.JSON.Input.Raw()}
		return events, nil
	}
	return nil, nil
}

func (r *reading) delta(x *exchange.Exchange, e sdk.MessageStreamEventUnion) ([]llm.Event, error) {
	switch e.Delta.Type {
	case "text_delta":
		return r.answer.Text(e.Delta.Text)
	case "thinking_delta":
		return r.answer.Reasoning(e.Delta.Thinking, "")
	case "signature_delta":
		return r.answer.Reasoning("", e.Delta.Signature)
	case "input_json_delta":
		b := r.blocks[e.Index]
		if b == nil {
			return nil, x.Unreadable("arguments of a tool call that never began")
		}
		b.grew = b.grew || e.Delta.PartialJSON != ""
		return r.answer.Arguments(b.at, e.Delta.PartialJSON)
	}
	return nil, nil
}

// stop ends a block. A call whose arguments don't read may have been cut by the
// limit, which the API says only later: such a call waits for the end.
func (r *reading) stop(e sdk.MessageStreamEventUnion) ([]llm.Event, error) {
	b := r.blocks[e.Index]
	if b == nil || b.over {
		return nil, nil
	}
	b.over = true
	var out []llm.Event
	if !b.grew && b.input != "" && b.input != "{}" && b.input != "null" {
		var err error
		if out, err = r.answer.Arguments(b.at, b.input); err != nil {
			return out, err
		}
	}
	return append(out, r.answer.DoneIfReadable(b.at)...), nil
}

// price keeps the counts, which are of the whole answer each time they come;
// message_delta may leave those of the input out.
func (r *reading) price(input, read, write, output int64) {
	r.usage.Known = true
	if n := int(input + read + write); n > 0 {
		r.usage.Input, r.usage.CacheRead, r.usage.CacheWrite = n, int(read), int(write)
	}
	r.usage.Output = max(r.usage.Output, int(output))
}

// reason reads a stop_reason. New ones are the end of the answer.
func reason(s sdk.StopReason) llm.Reason {
	switch s {
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return llm.ReasonLength
	case sdk.StopReasonPauseTurn:
		return llm.ReasonPaused
	case sdk.StopReasonRefusal:
		return llm.ReasonFiltered
	}
	return llm.ReasonStop
}
