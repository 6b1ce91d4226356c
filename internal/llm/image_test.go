package llm_test

import (
	"strings"
	"testing"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/llm/llmtest"
)

func TestVisiblePutsWordsWhereAModelSeesNothing(t *testing.T) {
	t.Parallel()
	png := llm.Image{MIME: "image/png", Bytes: make([]byte, 360<<10)}
	r := llm.Request{NoImages: true, Messages: []llm.Message{
		{Role: llm.User, Parts: []llm.Part{png}},
		{Role: llm.FromTool, Parts: []llm.Part{llm.ToolResult{CallID: "1", Parts: []llm.Part{png, llm.Text{Text: "x"}}}}},
	}}
	want := "[image, image/png, 360 KB: this model can't see it]"
	seen := r.Visible()
	result := seen[1].Parts[0].(llm.ToolResult)
	if seen[0].Parts[0] != (llm.Text{Text: want}) || result.Parts[0] != (llm.Text{Text: want}) || result.Parts[1] != (llm.Text{Text: "x"}) {
		t.Errorf("got %+v", seen)
	}
	if _, ok := r.Messages[0].Parts[0].(llm.Image); !ok {
		t.Error("the request itself was changed")
	}
}

func TestOnlyImagesThatProvidersTakeGoOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		image llm.Image
		mime  string // or
		words string
	}{
		"a picture":          {llm.Image{MIME: "image/png", Bytes: llmtest.PNG(8000, 8000)}, "image/png", ""},
		"under a wrong name": {llm.Image{MIME: "image/jpeg", Bytes: llmtest.PNG(1, 1)}, "image/png", ""},
		"too wide":           {llm.Image{MIME: "image/png", Bytes: llmtest.PNG(8001, 1)}, "", "8001 × 1 pixels"},
		"too high":           {llm.Image{MIME: "image/png", Bytes: llmtest.PNG(1, 8001)}, "", "1 × 8001 pixels"},
		"cut":                {llm.Image{MIME: "image/png", Bytes: llmtest.PNG(1, 1)[:12]}, "", "can't see"},
		"WebP":               {llm.Image{MIME: "image/webp", Bytes: []byte("RIFF\x00\x00\x00\x00WEBPVP8 ")}, "image/webp", ""},
		"no picture":         {llm.Image{MIME: "image/png", Bytes: []byte("<svg/>")}, "", "can't see"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := llm.Request{Messages: []llm.Message{{Role: llm.User, Parts: []llm.Part{c.image}}}}
			switch p := r.Visible()[0].Parts[0].(type) {
			case llm.Image:
				if p.MIME != c.mime {
					t.Errorf("it goes out as %s, want %q", p.MIME, c.mime)
				}
			case llm.Text:
				if c.words == "" || !strings.Contains(p.Text, c.words) {
					t.Errorf("got %q, want %q", p.Text, c.words)
				}
			}
		})
	}
}

// A provider takes smaller images where there are more of them.
func TestOnlyTheLatestImagesGoOut(t *testing.T) {
	t.Parallel()
	png := llm.Image{MIME: "image/png", Bytes: llmtest.PNG(1, 1)}
	r := llm.Request{Messages: []llm.Message{{Role: llm.FromTool, Parts: []llm.Part{llm.ToolResult{Parts: []llm.Part{png, png}}}}}}
	for range 19 {
		r.Messages = append(r.Messages, llm.Message{Role: llm.User, Parts: []llm.Part{png}})
	}
	seen := r.Visible()
	result := seen[0].Parts[0].(llm.ToolResult)
	if first, ok := result.Parts[0].(llm.Text); !ok || !strings.Contains(first.Text, "an earlier one") {
		t.Errorf("the first of 21 is %+v, want words", result.Parts[0])
	}
	for i, p := range append(result.Parts[1:], seen[1].Parts[0], seen[19].Parts[0]) {
		if _, ok := p.(llm.Image); !ok {
			t.Errorf("later image %d is %+v", i, p)
		}
	}
}
