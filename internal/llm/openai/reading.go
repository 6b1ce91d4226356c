package openai

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/exchange"
)

// reading is one answer under way.
type reading struct {
	answer llm.Answer
	calls  calls
	usage  llm.Usage
	reason llm.Reason // empty until the provider gave one
	done   bool       // [DONE] came
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
		if !emit(r.whole(x, res.Body)) {
			return
		}
	} else {
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
		if r.reason == "" && !r.done {
			emit(nil, x.FailureOr(events.Err()))
			return
		}
	}
	if r.reason == "" {
		r.reason = llm.ReasonStop // [DONE] alone
	}
	if err := r.calls.complete(); err != "" {
		emit(nil, x.Unreadable(err))
		return
	}
	emit(r.answer.Finish(r.reason, r.usage), nil)
}

// event reads one event of the stream: a chunk, or several where a server forgets
// the blank lines between them.
func (r *reading) event(x *exchange.Exchange, events ssestream.Decoder) ([]llm.Event, error) {
	e := events.Event()
	data := bytes.TrimSpace(e.Data)
	if e.Type == "error" {
		return nil, x.Said(data)
	}
	lines := [][]byte{data}
	if !json.Valid(data) {
		lines = bytes.Split(data, []byte("\n"))
	}
	var out []llm.Event
	for _, line := range lines {
		switch {
		case len(line) == 0:
			continue
		case bytes.HasPrefix(line, []byte("[DONE]")):
			r.done = true
			return out, nil
		case !json.Valid(line):
			switch {
			case events.Next():
			case r.reason != "": // half of its price
				return out, nil
			default: // half an event, at the end
				return out, x.Cut()
			}
			return out, x.Unreadable(string(line))
		}
		more, err := r.chunk(x, line)
		if out = append(out, more...); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (r *reading) chunk(x *exchange.Exchange, data []byte) ([]llm.Event, error) {
	var c sdk.ChatCompletionChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, x.Unreadable(string(data))
	}
	if e := c.JSON.ExtraFields["error"].Raw(); e != "" && e != "null" {
		return nil, x.Said(data)
	}
	if c.JSON.Usage.Valid() {
		r.usage = price(c.Usage)
	}
	var out []llm.Event
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		more, err := r.delta(choice.Delta)
		if out = append(out, more...); err != nil {
			return out, err
		}
		if choice.FinishReason == "error" {
			return out, x.Said(data)
		}
		if choice.FinishReason != "" {
			if r.reason != llm.ReasonFiltered {
				r.reason = reason(choice.FinishReason)
			}
			x.Linger()
		}
	}
	return out, nil
}

func (r *reading) delta(d sdk.ChatCompletionChunkChoiceDelta) ([]llm.Event, error) {
	thought := extra(d.JSON.ExtraFields, "reasoning_content")
	if thought == "" {
		thought = extra(d.JSON.ExtraFields, "reasoning")
	}
	out, err := r.answer.Reasoning(thought, "")
	if err != nil {
		return out, err
	}
	for _, text := range []string{d.Content, d.Refusal} {
		more, err := r.answer.Text(text)
		if out = append(out, more...); err != nil {
			return out, err
		}
	}
	if d.Refusal != "" {
		r.reason = llm.ReasonFiltered
	}
	for _, t := range d.ToolCalls {
		more, err := r.calls.add(&r.answer, piece{
			index: t.Index, hasIndex: t.JSON.Index.Valid(), id: t.ID, name: t.Function.Name,
			arguments: written(t.Function.Arguments, t.Function.JSON.Arguments),
		})
		if out = append(out, more...); err != nil {
			return out, err
		}
	}
	return out, nil
}

// whole reads an answer that came at once: some servers and proxies ignore
// `stream`.
func (r *reading) whole(x *exchange.Exchange, body io.Reader) ([]llm.Event, error) {
	data, err := io.ReadAll(body)
	if err != nil {
		return nil, err
	}
	var c struct {
		Choices []struct {
			Message      json.RawMessage `json:"message"`
			FinishReason string          `json:"finish_reason"`
		} `json:"choices"`
		Usage json.RawMessage `json:"usage"`
	}
	if json.Unmarshal(data, &c) != nil {
		return nil, x.Unreadable(string(data))
	}
	if len(c.Choices) == 0 {
		return nil, x.Said(data)
	}
	var d sdk.ChatCompletionChunkChoiceDelta
	var u sdk.CompletionUsage
	if json.Unmarshal(c.Choices[0].Message, &d) != nil {
		return nil, x.Unreadable(string(data))
	}
	if len(c.Usage) > 0 && json.Unmarshal(c.Usage, &u) == nil {
		r.usage = price(u)
	}
	events, err := r.delta(d)
	if r.done = true; r.reason == "" {
		r.reason = reason(c.Choices[0].FinishReason)
	}
	return events, err
}

func price(u sdk.CompletionUsage) llm.Usage {
	return llm.Usage{
		Known: true, Input: int(u.PromptTokens), Output: int(u.CompletionTokens),
		CacheRead: int(u.PromptTokensDetails.CachedTokens),
	}
}

// written is a call's arguments: text, or, from servers that send them so, the
// object itself.
func written(text string, f respjson.Field) string {
	if raw := strings.TrimSpace(f.Raw()); strings.HasPrefix(raw, "{") {
		return raw
	}
	return text
}

func extra(fields map[string]respjson.Field, name string) string {
	var s string
	if raw := fields[name].Raw(); raw == "" || json.Unmarshal([]byte(raw), &s) != nil {
		return ""
	}
	return s
}

// reason reads a finish_reason; servers pass on their own models' words for it.
func reason(s string) llm.Reason {
	switch strings.ToLower(s) {
	case "length", "max_tokens", "model_length", "max_output_tokens":
		return llm.ReasonLength
	case "content_filter", "safety", "refusal", "recitation", "prohibited_content":
		return llm.ReasonFiltered
	}
	return llm.ReasonStop
}
