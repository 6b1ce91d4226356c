package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/tools/txtar"

	"kontor.dev/kontor/internal/mcp/wire"
)

// TestTranscripts plays every archive of testdata: "options" is a JSON object of
// playOptions, "do" holds what the host does, one step a line, "wire" what passes
// between client and server in order, and "out" what the host saw. See play.
func TestTranscripts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			synctest.Test(t, func(t *testing.T) { playTranscript(t, file, archive) })
		})
	}
}

// abbreviations keep the transcripts readable; connect-modern.txtar and
// connect-legacy.txtar have them written out.
var abbreviations = strings.NewReplacer(
	"$META", `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"kontor","version":"1","title":"Kontor"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}}}`,
	"$INIT", `"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},"url":{}}},"clientInfo":{"name":"kontor","version":"1","title":"Kontor"}}`,
	"$READY", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
	"$VERSION", "Mcp-Protocol-Version: 2026-07-28",
)

type playOptions struct {
	HTTP            bool
	ProtocolVersion string
	KnownEra        Era
	SSE, KnownSSE   bool
	LogLevel        string
	NoElicit        bool
	PageCap         int
	// Answers are what the person says, in the order of the questions.
	Answers []Answer
	// Timeout bounds connecting, in seconds.
	Timeout int
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

func playTranscript(t *testing.T, file string, archive *txtar.Archive) {
	var po playOptions
	if err := json.Unmarshal([]byte(section(archive, "options")), &po); err != nil {
		t.Fatal(err)
	}
	p := &player{t: t, sent: make(chan *posted), http: po.HTTP, steps: lines(abbreviations.Replace(section(archive, "wire")))}
	var h host
	h.client(t, po, p, lines(section(archive, "do")))
	got := h.out.String()
	if want := section(archive, "out"); got != want {
		if os.Getenv("UPDATE") != "" {
			update(t, file, archive, got)
			return
		}
		t.Errorf("the host saw\n%s\nwant\n%s", got, want)
	}
}

func update(t *testing.T, file string, archive *txtar.Archive, got string) {
	t.Helper()
	for i := range archive.Files {
		if archive.Files[i].Name == "out" {
			archive.Files[i].Data = []byte(got)
		}
	}
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
}

// host does the steps of "do" and writes down what it sees.
type host struct {
	mu      sync.Mutex
	out     bytes.Buffer
	answers []Answer
}

func (h *host) sayf(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	fmt.Fprintf(&h.out, format+"\n", args...)
}

func (h *host) handlers(elicit bool) Handlers {
	handlers := Handlers{
		Missed:       func() { h.sayf("missed") },
		Notification: func(method string, params json.RawMessage) { h.sayf("notification %s %s", method, params) },
		Note:         func(n wire.Note) { h.sayf("note %s: %s", n.Kind, n.Text) },
	}
	if elicit {
		handlers.Elicit = h.elicit
	}
	return handlers
}

// elicit answers with what the transcript has the person say; an action "wait"
// waits for the end of the question.
func (h *host) elicit(ctx context.Context, q Question) (Answer, error) {
	h.sayf("question %s %q %s%s calls=%v", q.Mode, q.Message, q.Schema, q.URL, q.CallIDs)
	h.mu.Lock()
	if len(h.answers) == 0 {
		h.mu.Unlock()
		return Answer{}, errors.New("the transcript has no answer")
	}
	a := h.answers[0]
	h.answers = h.answers[1:]
	h.mu.Unlock()
	if a.Action != "wait" {
		return a, nil
	}
	<-ctx.Done()
	time.Sleep(time.Millisecond) // after what ended it, in the output too
	h.sayf("question over: %v", context.Cause(ctx))
	return Answer{}, ctx.Err()
}

func (h *host) client(t *testing.T, po playOptions, p *player, steps []string) {
	h.answers = po.Answers
	ctx := t.Context()
	if po.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(po.Timeout)*time.Second)
		defer cancel()
	}
	var playing sync.WaitGroup
	playing.Go(p.play)
	var sse wire.Dialer
	if po.SSE {
		sse = p.dial
	}
	c, err := Connect(ctx, Options{
		Dial: p.dial, DialSSE: sse, KnownSSE: po.KnownSSE, HTTP: po.HTTP, Name: "kontor", Version: "1", Title: "Kontor", ProtocolVersion: po.ProtocolVersion,
		KnownEra: po.KnownEra, LogLevel: po.LogLevel, ListPageCap: po.PageCap, Handlers: h.handlers(!po.NoElicit),
	})
	if err != nil {
		h.sayf("connect: %v", err)
		if e, ok := errors.AsType[*StartError](err); ok && e.Stray != "" {
			h.sayf("stray: %s", e.Stray)
		}
		playing.Wait()
		return
	}
	info := c.Info()
	h.sayf("connected %s %s %s", info.Era, info.ProtocolVersion, info.Name)
	if info.SSE {
		h.sayf("over HTTP+SSE")
	}
	for _, w := range info.Warnings {
		h.sayf("warning %s: %s", w.Code, w.Message)
	}
	for i, step := range steps {
		h.step(t.Context(), c, i+1, strings.Fields(step))
		synctest.Wait()
	}
	playing.Wait()
	synctest.Wait()
	if err := c.Close(); err != nil {
		h.sayf("close: %v", err)
	}
}

// step does one thing. "call NAME [ARGS] [after SECONDS]" calls a tool and gives
// up after that time; a "&" at the end goes on without waiting.
func (h *host) step(ctx context.Context, c *Client, n int, words []string) {
	if words[len(words)-1] == "&" {
		rest := words[:len(words)-1]
		go h.step(ctx, c, n, rest)
		return
	}
	if at := slices.Index(words, "after"); at > 0 {
		seconds, _ := strconv.Atoi(words[at+1])
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(seconds)*time.Second)
		defer cancel()
		words = words[:at]
	}
	words = append(words, "", "")
	name, arguments := words[1], json.RawMessage(words[2])
	var result json.RawMessage
	var err error
	switch words[0] {
	case "listen":
		c.Listen(Filter{URIs: words[1:2]})
		return
	case "sleep":
		seconds, _ := strconv.Atoi(name)
		time.Sleep(time.Duration(seconds) * time.Second)
		return
	case "tools", "resources", "templates", "prompts":
		h.list(ctx, c, words[0])
		return
	case "call":
		result, err = c.CallTool(ctx, ToolCall{CallID: fmt.Sprintf("c%d", n), Name: name, Arguments: arguments,
			OnProgress: func(p Progress) { h.sayf("progress %s/%s %s", p.Progress, p.Total, p.Message) },
			OnSent:     func() { h.sayf("sent %s", name) }})
	case "read":
		result, err = c.ReadResource(ctx, name)
	case "prompt":
		result, err = c.GetPrompt(ctx, name, arguments)
	case "request":
		result, err = c.Request(ctx, name, arguments)
	default:
		err = fmt.Errorf("no such step: %s", words[0])
	}
	if err != nil {
		h.sayf("%s %s: %s", words[0], name, describe(err))
		return
	}
	h.sayf("%s %s = %s", words[0], name, result)
}

func (h *host) list(ctx context.Context, c *Client, kind string) {
	list, err := map[string]func(context.Context) (List, error){
		"tools": c.ListTools, "resources": c.ListResources, "templates": c.ListResourceTemplates, "prompts": c.ListPrompts,
	}[kind](ctx)
	if err != nil {
		h.sayf("%s: %s", kind, describe(err))
		return
	}
	h.sayf("%s = %d pages %s cut=%v", kind, list.Pages, bytes.Join(toBytes(list.Items), []byte(" ")), list.Cut)
	for _, w := range list.Warnings {
		h.sayf("warning %s %s: %s", w.Code, w.Item, w.Message)
	}
}

func toBytes(items []json.RawMessage) (all [][]byte) {
	for _, i := range items {
		all = append(all, i)
	}
	return all
}

// describe adds to an error's words what a caller tells it by.
func describe(err error) string {
	text := err.Error()
	var rpc *wire.Error
	if errors.As(err, &rpc) {
		text += fmt.Sprintf(" [code %d]", rpc.Code)
	}
	for name, target := range map[string]error{"unknown": ErrOutcomeUnknown, "not sent": wire.ErrNotSent} {
		if errors.Is(err, target) {
			text += " [" + name + "]"
		}
	}
	return text
}
