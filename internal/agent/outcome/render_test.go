package outcome

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kontor.dev/kontor/internal/model"
)

func done(r model.Result) model.Call {
	if r.Type == "" {
		r.Type = model.ResultString
	}
	return model.Call{ID: "c-1", Server: "files", Tool: "read", State: model.CallDone, Result: r}
}

func ended(state model.CallState, e *model.Error) model.Call {
	return model.Call{ID: "c-1", Server: "files", Tool: "read", State: state, Error: e}
}

func picture(file, mime string, size int64) model.Content {
	return model.Content{Kind: model.ContentImage, MIMEType: mime,
		Media: &model.Media{File: file, URL: "/api/mcp-media/" + file, MIMEType: mime, Size: size}}
}

func TestResults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		call    model.Call
		want    string
		isError bool
	}{
		{"text", done(model.Result{Text: "21 °C"}), "21 °C", false},
		{"nothing", done(model.Result{}), "(The tool answered with nothing.)", false},
		// The mirror in the text is not said again.
		{"structured", done(model.Result{Type: model.ResultJSON, Text: `{ "b": 1, "a": 2 }`,
			Structured: json.RawMessage(`{ "b": 1, "a": 2 }`), Content: []model.Content{{Kind: model.ContentText, Text: `{"a":2,"b":1}`}}}),
			`{"b":1,"a":2}`, false},
		{"exact numbers", done(model.Result{Type: model.ResultJSON, Text: "{\n \"n\": 7960607143101464577, \"big\": 1e400, \"d\": 1.10, \"h\": \"<a>\\u202e\" }"}),
			`{"n":7960607143101464577,"big":1e400,"d":1.10,"h":"<a>\u202e"}`, false},
		{"JSON in text", done(model.Result{Text: "[\n  1,\n  2\n]\n"}), "[1,2]", false},
		{"almost JSON", done(model.Result{Text: "[ not\n json"}), "[ not\n json", false},
		{"an error", done(model.Result{Text: "no such file", IsError: true}), "The tool reports an error:\nno such file", true},
		{"hidden characters", done(model.Result{Text: "pay \u202eevil\u202c"}), "pay ‹U+202E›evil‹U+202C›", false},
		// The text of an embedded resource.
		{"embedded text", done(model.Result{Text: "# Hi", Content: []model.Content{{Kind: model.ContentResource, URI: "n://1", Text: "# Hi"}}}), "# Hi", false},
		// A file is a link with its type and size.
		{"a file", done(model.Result{Text: "ok\n\n[r.pdf](/api/mcp-media/ab.pdf) (application/pdf, 5 bytes)",
			Content: []model.Content{{Kind: model.ContentResource, Media: &model.Media{File: "ab.pdf", MIMEType: "application/pdf"}}}}),
			"ok\n\n[r.pdf](/api/mcp-media/ab.pdf) (application/pdf, 5 bytes)", false},
		// A link is listed, and the model is told how to read it.
		{"a link", done(model.Result{Text: "[report](r://q3) (application/pdf, 5 bytes)", Content: []model.Content{{Kind: model.ContentLink, URI: "r://q3"}}}),
			"[report](r://q3) (application/pdf, 5 bytes)\n\n(The linked resources can be read with read_resource, server \"files\".)", false},
		{"failed before it ran", ended(model.CallFailed, &model.Error{Code: model.CodeServerUnavailable, Message: "server files is not available", Fix: "Start it."}),
			"The call failed (server_unavailable). server files is not available. Start it. The tool was not run.", true},
		{"denied", ended(model.CallFailed, model.Errorf(model.CodeDenied, "rule 2 denies it")),
			"The call failed (denied). rule 2 denies it. The tool was not run. Only the person can change that.", true},
		{"timed out", ended(model.CallFailed, model.Errorf(model.CodeTimeout, "no answer for 2 minutes")),
			"The call failed (timeout). no answer for 2 minutes. The tool may have run: find out before you call it again.", true},
		{"rejected", ended(model.CallRejected, model.Errorf(model.CodeRejected, "use the other calendar")),
			"The person rejected this call: it was not run. use the other calendar.", true},
		{"cancelled before it was sent", ended(model.CallCancelled, model.Errorf(model.CodeNotSent, "cancelled by you")),
			"The call was stopped while it waited for approval: it was not run. cancelled by you.", true},
		{"cancelled", ended(model.CallCancelled, model.Errorf(model.CodeCancelled, "cancelled by the person")),
			"The call was stopped before it had answered. If it had been sent, it may have run. cancelled by the person.", true},
		{"unknown", ended(model.CallUnknown, model.Errorf(model.CodeOutcomeUnknown, "the connection broke")),
			"Nobody knows whether the tool ran: don't call it again before you have found out, or asked. the connection broke.", true},
		{"without a reason", ended(model.CallRejected, nil), "The person rejected this call: it was not run.", true},
		{"open", ended(model.CallRunning, nil), "The call is still on its way: there is no result yet.", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Render(c.call, Options{})
			if got.Text != c.want || got.IsError != c.isError || got.Cut != nil || got.Media != nil {
				t.Errorf("got  %+v\nwant %q, error %v", got, c.want, c.isError)
			}
		})
	}
}

// An image is shown to a model that sees, else told; never as base64.
func TestImages(t *testing.T) {
	t.Parallel()
	text := "see\n\n![image](/api/mcp-media/a.png) (image/png, 360 KB)"
	content := []model.Content{
		picture("a.png", "image/png", 360<<10),
		picture("b.svg", "image/svg+xml", 100),
		picture("c.png", "image/png", maxImage+1),
		{Kind: model.ContentAudio, Media: &model.Media{File: "d.wav", MIMEType: "audio/wav", Size: 9}},
	}
	call := done(model.Result{Text: text, Content: content})
	seen := Render(call, Options{Images: true})
	if len(seen.Media) != 1 || seen.Media[0].File != "a.png" {
		t.Errorf("got %+v", seen.Media)
	}
	if want := text + "\n\n(Images of it that you can't see: 2. The person can, at their addresses.)"; seen.Text != want {
		t.Errorf("got  %q\nwant %q", seen.Text, want)
	}
	blind := Render(call, Options{})
	if want := text + "\n\n(Images of it that you can't see: 3. The person can, at their addresses.)"; blind.Text != want || blind.Media != nil {
		t.Errorf("got  %q, %v\nwant %q", blind.Text, blind.Media, want)
	}
	many := done(model.Result{Text: "m", Content: slices.Repeat(content[:1], maxImages+3)})
	if got := Render(many, Options{Images: true}); len(got.Media) != maxImages || !strings.Contains(got.Text, "can't see: 3.") {
		t.Errorf("got %d images and %q", len(got.Media), got.Text)
	}
}

// Bytes in a text or in structured content are told, not shown.
func TestEncodedBytesAreLeftOut(t *testing.T) {
	t.Parallel()
	blob := base64.StdEncoding.EncodeToString(slices.Repeat([]byte{7, 99, 250}, 40_000))
	whole := `{"name":"a.png","data":"` + blob + `","ok":true}`
	got := Render(done(model.Result{Type: model.ResultJSON, Text: whole}), Options{})
	want := fmt.Sprintf(`{"name":"a.png","data":"‹%d bytes that look like base64 are left out: bytes 24 to %d›","ok":true}`, len(blob), 24+len(blob))
	if got.Text != want {
		t.Errorf("got %.200q, want %q", got.Text, want)
	}
	if got.Cut == nil || *got.Cut != (model.Cut{Total: len(whole), Shown: len(whole) - len(blob)}) {
		t.Errorf("got the cut %+v", got.Cut)
	}
	if short := strings.Repeat("a", minRun-1); Render(done(model.Result{Text: short}), Options{}).Text != short {
		t.Error("a short run is left out")
	}
}

// Megabytes, in lines or in one.
func TestLongTextsAreCut(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&lines, "%06d: Zeile über das, was war – 漢字 🔑\n", i)
	}
	for name, text := range map[string]string{
		"lines": lines.String(), "one line": strings.Repeat("wörter ohne Ende, ", 60_000),
	} {
		call := done(model.Result{Text: text})
		got := Render(call, Options{})
		if len(got.Text) > DefaultBudget || len(got.Text) < DefaultBudget-200 || !utf8.ValidString(got.Text) {
			t.Errorf("%s: got %d bytes", name, len(got.Text))
		}
		head, rest, found := strings.Cut(got.Text, "\n\n[Left out: bytes ")
		if !found || !strings.HasPrefix(text, head) {
			t.Fatalf("%s: the head isn't the text's, or nothing is said: %.80q", name, rest)
		}
		var from, to, total, again int
		if _, err := fmt.Sscanf(rest, `%d to %d of %d. read_result(id: "c-1", from: %d)`, &from, &to, &total, &again); err != nil {
			t.Fatalf("%s: %v in %.120q", name, err, rest)
		}
		_, tail, _ := strings.Cut(rest, "]\n\n")
		if from != len(head) || to != len(text)-len(tail) || total != len(text) || again != from || !strings.HasSuffix(text, tail) {
			t.Errorf("%s: %d to %d of %d: the head is %d bytes, the tail %d", name, from, to, total, len(head), len(tail))
		}
		if want := (model.Cut{Total: len(text), Shown: len(head) + len(tail)}); *got.Cut != want {
			t.Errorf("%s: got %+v, want %+v", name, got.Cut, want)
		}
	}
}

// Read range by range, a cut text is all there.
func TestRangesMakeTheWhole(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Grüße 漢字 🔑 and more. ", 9_000)
	var whole strings.Builder
	for at, rounds := 0, 0; at < len(text); rounds++ {
		got := Range(text, at, 0)
		if len(got) > DefaultBudget || rounds > 50 {
			t.Fatalf("got %d bytes in round %d", len(got), rounds)
		}
		head, body, _ := strings.Cut(got, "\n")
		whole.WriteString(body)
		var to int
		if _, err := fmt.Sscanf(head, "Bytes %d to %d of", new(int), &to); err != nil {
			t.Fatalf("%v in %q", err, head)
		}
		if more := strings.Contains(head, "it goes on at "+fmt.Sprint(to)); more != (to < len(text)) {
			t.Errorf("got %q", head)
		}
		at = to
	}
	if whole.String() != text {
		t.Error("the ranges aren't the text")
	}
}

func TestRange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text     string
		from, to int
		want     string
	}{
		{"hello", 1, 3, "Bytes 1 to 3 of 5, it goes on at 3:\nel"},
		{"hello", 0, 0, "Bytes 0 to 5 of 5, the end:\nhello"},
		{"hello", -7, 99, "Bytes 0 to 5 of 5, the end:\nhello"},
		{"hello", 4, 2, "Bytes 4 to 5 of 5, the end:\no"},
		{"hello", 5, 9, "There is nothing from byte 5 on: it is 5 bytes long."},
		{"", 0, 0, "There is nothing from byte 0 on: it is 0 bytes long."},
		{"für", 2, 3, "Bytes 1 to 3 of 4, it goes on at 3:\nü"},
		{"für", 1, 2, "Bytes 1 to 3 of 4, it goes on at 3:\nü"},
	} {
		if got := Range(c.text, c.from, c.to); got != c.want {
			t.Errorf("%q %d %d: got %q, want %q", c.text, c.from, c.to, got, c.want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("text", 0, uint8(0), false)
	f.Add(strings.Repeat("ü🔑", 3000), 2000, uint8(1), true)
	f.Add(strings.Repeat("A", 9000)+"\u202e"+strings.Repeat("x ", 3000), 1100, uint8(2), false)
	f.Add(`{"a": "`+strings.Repeat("QUJD", 4000)+`"}`, 1024, uint8(3), true)
	f.Add("\xff\xfe\x00"+strings.Repeat("é", 2000), -5, uint8(4), false)
	states := []model.CallState{model.CallDone, model.CallFailed, model.CallRejected, model.CallUnknown, model.CallCancelled}
	f.Fuzz(func(t *testing.T, text string, budget int, state uint8, isError bool) {
		call := model.Call{ID: "0193-id", Server: "s", State: states[int(state)%len(states)], Error: model.Errorf(model.CodeTimeout, "%s", text)}
		call.Result = model.Result{Text: text, IsError: isError, Content: []model.Content{picture("a", "image/png", 1), {Kind: model.ContentLink}}}
		got := Render(call, Options{Budget: budget})
		most := max(budget, minBudget)
		if budget == 0 {
			most = DefaultBudget
		}
		if len(got.Text) > most {
			t.Errorf("%d bytes, the budget is %d", len(got.Text), most)
		}
		if !utf8.ValidString(got.Text) {
			t.Errorf("a character is cut in %q", got.Text)
		}
		if got.Cut != nil && (got.Cut.Shown >= got.Cut.Total || got.Cut.Shown < 0) {
			t.Errorf("got the cut %+v", got.Cut)
		}
		if strings.ContainsAny(got.Text, "\u202e\u200b\x00\x1b") {
			t.Errorf("hidden characters in %q", got.Text)
		}
		if part := Range(Text(call), budget, budget+int(state)); len(part) > DefaultBudget || !utf8.ValidString(part) {
			t.Errorf("got the range %q", part)
		}
	})
}
