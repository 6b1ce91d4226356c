package exchange

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// said is what an error body says, whatever its shape.
type said struct {
	message string
	// kind is its type and its code in lower case, where it has them.
	kind string
	// status is the code where that is a number.
	status int
}

// understand reads an error body: OpenAI's and Anthropic's `{"error": {"type",
// "code", "message"}}`, Gemini's list of those, `{"error": "text"}` (Ollama),
// `{"message"}` (Mistral), `{"detail"}` (FastAPI), or anything else as text.
func understand(body []byte) said {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer map[string]json.RawMessage
	if json.Unmarshal(body, &outer) != nil {
		return said{message: string(body)}
	}
	inner := outer
	if e, ok := outer["error"]; ok {
		var text string
		if json.Unmarshal(e, &text) == nil {
			return said{message: text}
		}
		if json.Unmarshal(e, &inner) != nil || inner == nil {
			inner = outer
		}
	}
	var s said
	for _, name := range []string{"message", "detail"} {
		if s.message == "" {
			s.message = plain(inner[name])
		}
	}
	code := plain(inner["code"])
	s.status, _ = strconv.Atoi(code)
	s.kind = strings.ToLower(strings.TrimSpace(plain(inner["type"]) + " " + code + " " + plain(inner["status"])))
	return s
}

// plain is a JSON string's text, or another value as it is written.
func plain(v json.RawMessage) string {
	var s string
	if len(v) == 0 || json.Unmarshal(v, &s) == nil {
		return s
	}
	return string(v)
}

// refused makes the error of an answer with an error status, or of an error
// inside a stream (status 0).
func (o Options) refused(status int, h http.Header, body []byte) error {
	s := understand(body)
	code := classify(status, s)
	e := &model.Error{Code: code, Message: o.words(code, status), Fix: fixes()[code]}
	if text := o.clean(s.message); text != "" {
		e.Message += " It says: " + text
	}
	wait := retryAfter(h, time.Now())
	if wait > 0 && (code == llm.CodeRateLimited || code == llm.CodeOverloaded) {
		e.Fix = "It says when: try again in " + model.InWords(max(wait.Round(time.Second), time.Second)) + ", or choose another model."
	}
	e.Err = &llm.Refusal{Status: status, RetryAfter: wait, RequestID: o.clean(requestID(h))}
	return e
}

// classify decides what a refusal means: by its words where these are known, since
// servers disagree about statuses, and by its status otherwise.
func classify(status int, s said) model.Code {
	text := strings.ToLower(s.message)
	for _, rule := range phrases() {
		for _, p := range rule.any {
			if strings.Contains(s.kind, p) || strings.Contains(text, p) {
				return rule.code
			}
		}
	}
	if status == 0 {
		status = s.status
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return llm.CodeKeyRefused
	case status == http.StatusPaymentRequired:
		return llm.CodeNoCredit
	case status == http.StatusNotFound && strings.Contains(text, "model"):
		return llm.CodeModelUnknown
	case status == http.StatusRequestEntityTooLarge:
		return llm.CodeContextTooLong
	case status == http.StatusTooManyRequests:
		return llm.CodeRateLimited
	case status == http.StatusRequestTimeout, status >= 500:
		return llm.CodeOverloaded
	case status == 0:
		return llm.CodeCutStream
	}
	return llm.CodeBadRequest
}

type phrase struct {
	code model.Code
	any  []string
}

// phrases are words of providers and local servers (OpenAI, Anthropic, Gemini,
// OpenRouter, vLLM, llama.cpp, Ollama, LM Studio), in the order to look for them.
func phrases() []phrase {
	return []phrase{
		{llm.CodeNoTools, []string{
			"does not support tools", "support tool use", "tool use is not supported", "enable-auto-tool-choice",
			"tools param requires --jinja",
		}},
		{llm.CodeTooManyTools, []string{"tools': array too long", "tools: array too long", "too many tools"}},
		{llm.CodeContextTooLong, []string{
			"context_length_exceeded", "maximum context length", "context window", "prompt is too long",
			"available context size", "exceed_context_size", "exceeds the context", "request_too_large",
			"input token count", "context length",
		}},
		{llm.CodeNoCredit, []string{"insufficient_quota", "billing_error", "credit balance", "insufficient credits"}},
		{llm.CodeKeyRefused, []string{
			"invalid_api_key", "authentication_error", "permission_error", "api key not valid", "incorrect api key",
		}},
		{llm.CodeModelUnknown, []string{"model_not_found", "is not a valid model", "model not found"}},
		{llm.CodeRateLimited, []string{"rate_limit", "resource_exhausted"}},
		{llm.CodeOverloaded, []string{"overloaded", "api_error", "server_error", "unavailable"}},
	}
}

func (o Options) words(code model.Code, status int) string {
	host := o.Host
	switch code {
	case llm.CodeKeyRefused:
		return host + " refused the key."
	case llm.CodeNoCredit:
		return "The account at " + host + " has no credit left."
	case llm.CodeModelUnknown:
		return host + " has no such model."
	case llm.CodeContextTooLong:
		return "The conversation is too long for this model."
	case llm.CodeRateLimited:
		return host + " asks to slow down."
	case llm.CodeOverloaded:
		return host + " has trouble of its own" + inBrackets(status) + "."
	case llm.CodeTooManyTools:
		return host + " takes fewer tools than the chat has."
	case llm.CodeNoTools:
		return "This model takes no tools."
	case llm.CodeCutStream:
		return "The answer of " + host + " broke off."
	}
	return host + " doesn't accept the request" + inBrackets(status) + "."
}

func inBrackets(status int) string {
	if status == 0 {
		return ""
	}
	return " (status " + strconv.Itoa(status) + ")"
}

func fixes() map[model.Code]string {
	return map[model.Code]string{
		llm.CodeKeyRefused:     "Enter the key again in Settings → Models, and check that it may use this model.",
		llm.CodeNoCredit:       "Add credit there, or choose another model.",
		llm.CodeModelUnknown:   "Check the model's name in Settings → Models; a local server may have to load it first.",
		llm.CodeRateLimited:    "Wait a minute and try again, or choose another model.",
		llm.CodeOverloaded:     "Try again a little later, or choose another model.",
		llm.CodeContextTooLong: "Switch tool groups off, start a new chat, or choose a model with a larger context.",
		llm.CodeTooManyTools:   "Switch tool groups off; OpenAI takes 128 tools.",
		llm.CodeNoTools:        "Choose a model that can call tools, or start its server with tools enabled.",
		llm.CodeBadRequest:     "Check the model's address: OpenAI-compatible servers often want /v1 at its end.",
	}
}

func (o Options) notAnAPI() error {
	return &model.Error{
		Code: model.CodeProtocol, Message: o.Host + " sent a web page, not an answer.",
		Fix: "Check the model's address: OpenAI-compatible servers often want /v1 at its end.",
	}
}

// retryAfter reads Retry-After (RFC 9110, 10.2.3: seconds or a date) and the
// retry-after-ms that some providers send beside it; 0 when there is neither.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return seconds(ms / 1000)
	}
	value := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return seconds(s)
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// seconds is a duration of at most a day, whatever was asked for.
func seconds(s float64) time.Duration {
	const day = 24 * time.Hour
	if s >= day.Seconds() {
		return day
	}
	return time.Duration(s * float64(time.Second))
}

func requestID(h http.Header) string {
	if id := h.Get("X-Request-Id"); id != "" {
		return id
	}
	return h.Get("Request-Id")
}
