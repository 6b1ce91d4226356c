package calls

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/model"
)

// fakeMedia keeps what it is given, or refuses it.
type fakeMedia struct {
	put func(data []byte, mimeType string) (model.Media, error)
}

func (f fakeMedia) Put(data []byte, mimeType string) (model.Media, error) {
	if f.put != nil {
		return f.put(data, mimeType)
	}
	file := fmt.Sprintf("%x.%s", data, mimeType[strings.IndexByte(mimeType, '/')+1:])
	return model.Media{File: file, URL: "/api/mcp-media/" + file, MIMEType: mimeType, Size: int64(len(data))}, nil
}

func TestReadResultText(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, raw, text string
		kind            model.ResultType
	}{
		{"nothing", `{}`, "", model.ResultString},
		{"null content", `{"content":null}`, "", model.ResultString},
		{"text", `{"content":[{"type":"text","text":"a\u00e9 \"b\""}]}`, `aé "b"`, model.ResultString},
		{"texts are joined", `{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}`, "a\nb", model.ResultString},
		{"structured content as sent, numbers exact",
			`{"content":[{"type":"text","text":"{\"n\": 7960607143101464577}"}],"structuredContent":{"n": 7960607143101464577, "x":1e400}}`,
			`{"n": 7960607143101464577, "x":1e400}`, model.ResultJSON},
		{"null structured content is none", `{"content":[{"type":"text","text":"a"}],"structuredContent":null}`, "a", model.ResultString},
		{"structured content that isn't an object", `{"structuredContent":[1.0]}`, "[1.0]", model.ResultJSON},
		{"an image", `{"content":[{"type":"text","text":"look"},{"type":"image","data":"AQI=","mimeType":"image/png"}]}`,
			"look\n\n![image](/api/mcp-media/0102.png) (image/png, 2 B)", model.ResultString},
		{"audio", `{"content":[{"type":"audio","data":"AQI=","mimeType":"audio/wav"}]}`,
			"[audio](/api/mcp-media/0102.wav) (audio/wav, 2 B)", model.ResultString},
		{"structured content beside media is fenced", `{"content":[{"type":"image","data":"AQI=","mimeType":"image/png"}],"structuredContent":{"a":1}}`,
			"```json\n{\"a\":1}\n```\n\n![image](/api/mcp-media/0102.png) (image/png, 2 B)", model.ResultString},
		{"a text mirror beside media isn't doubled", `{"content":[{"type":"text","text":"{\"a\":1}"},{"type":"image","data":"AQI=","mimeType":"image/png"}],"structuredContent":{"a":1}}`,
			"{\"a\":1}\n\n![image](/api/mcp-media/0102.png) (image/png, 2 B)", model.ResultString},
		{"an embedded text", `{"content":[{"type":"resource","resource":{"uri":"n://1","mimeType":"text/markdown","text":"# Hi"}}]}`,
			"# Hi", model.ResultString},
		{"an embedded file", `{"content":[{"type":"resource","resource":{"uri":"f://docs/r.pdf","mimeType":"application/pdf","blob":"AQI="}}]}`,
			"[r.pdf](/api/mcp-media/0102.pdf) (application/pdf, 2 B)", model.ResultString},
		{"a link", `{"content":[{"type":"resource_link","uri":"r://q3","name":"report","mimeType":"application/pdf","size":5}]}`,
			"[report](r://q3) (application/pdf, 5 B)", model.ResultString},
		{"a link can't break out", `{"content":[{"type":"resource_link","uri":"r://a) [x](http://b","name":"a](http://c) b"}]}`,
			`[a\](http://c) b](<r://a) [x](http://b>)`, model.ResultString},
		{"an unknown kind", `{"content":[{"type":"hologram","data":[1.10]}]}`, `{"type":"hologram","data":[1.10]}`, model.ResultString},
		{"an unknown result", `{"task":{"taskId":"1"}}`, `{"task":{"taskId":"1"}}`, model.ResultString},
		{"data that isn't base64 is said", `{"content":[{"type":"image","data":"%%%","mimeType":"image/png"}]}`,
			"image (image/png, not kept: the data isn't base64)", model.ResultString},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := readResult(json.RawMessage(tc.raw), fakeMedia{})
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != tc.text || got.Type != tc.kind {
				t.Errorf("got %s %q, want %s %q", got.Type, got.Text, tc.kind, tc.text)
			}
		})
	}
}

func TestReadResultKeepsEveryBlockInItsPlace(t *testing.T) {
	t.Parallel()
	const raw = `{"content":[
		{"type":"text","text":"a","annotations":{"priority":0.10}},
		{"type":"image","data":"AQI=","mimeType":"image/png"},
		{"type":"image","data":"?","mimeType":"image/png"},
		{"type":"audio","mimeType":"audio/wav"},
		{"type":"resource","resource":{"uri":"u","text":"t"}},
		{"type":"resource","resource":{"uri":"u"}},
		{"type":"resource_link","uri":"r://q3","size":5},
		{"type":"text"},
		{"type":"hologram"},
		7
	],"structuredContent":{"a":1},"isError":true}`
	r, err := readResult(json.RawMessage(raw), fakeMedia{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"kind":"text","text":"a","annotations":{"priority":0.10}}`,
		`{"kind":"image","media":{"file":"0102.png","url":"/api/mcp-media/0102.png","mime_type":"image/png","size":2},"mime_type":"image/png"}`,
		`{"kind":"image","mime_type":"image/png","problem":"the data isn't base64"}`,
		`{"kind":"unknown","raw":{"type":"audio","mimeType":"audio/wav"},"problem":"the audio block has no data"}`,
		`{"kind":"resource","text":"t","uri":"u","name":"u"}`,
		`{"kind":"unknown","raw":{"type":"resource","resource":{"uri":"u"}},"problem":"the embedded resource has neither text nor bytes"}`,
		`{"kind":"link","uri":"r://q3","name":"q3","raw":{"type":"resource_link","uri":"r://q3","size":5}}`,
		`{"kind":"unknown","raw":{"type":"text"},"problem":"the text block has no text"}`,
		`{"kind":"unknown","raw":{"type":"hologram"}}`,
		`{"kind":"unknown","raw":7,"problem":"the block isn't a JSON object"}`,
	}
	if len(r.Content) != len(want) {
		t.Fatalf("got %d blocks, want %d", len(r.Content), len(want))
	}
	for i, c := range r.Content {
		got, err := json.Marshal(c)
		if err != nil || string(got) != want[i] {
			t.Errorf("block %d = %s (%v), want %s", i, got, err, want[i])
		}
	}
	if !r.IsError || string(r.Structured) != `{"a":1}` {
		t.Errorf("isError %v, structured %s", r.IsError, r.Structured)
	}
}

func TestReadResultSaysWhatMediaRefused(t *testing.T) {
	t.Parallel()
	full := fakeMedia{put: func([]byte, string) (model.Media, error) {
		return model.Media{}, model.Errorf(model.CodeTooLarge, "a file of 70.0 MB is over the limit of 64.0 MB")
	}}
	r, err := readResult(json.RawMessage(`{"content":[{"type":"image","data":"AQI=","mimeType":"image/png"}]}`), full)
	if err != nil {
		t.Fatal(err)
	}
	const problem = "a file of 70.0 MB is over the limit of 64.0 MB"
	if got := r.Content[0].Problem; got != problem {
		t.Errorf("problem = %q", got)
	}
	if want := "image (image/png, not kept: " + problem + ")"; r.Text != want {
		t.Errorf("text = %q, want %q", r.Text, want)
	}
}

func TestReadResultRefusesWhatIsNone(t *testing.T) {
	t.Parallel()
	large := `"` + strings.Repeat("x", maxMalformed) + `"`
	for raw, kept := range map[string]string{
		`[1]`:             `[1]`,
		`{"content":"a"}`: `{"content":"a"}`,
		`{"a":`:           ``,
		large:             ``,
	} {
		r, err := readResult(json.RawMessage(raw), fakeMedia{})
		if model.CodeOf(err) != model.CodeProtocol {
			t.Errorf("%.20s: err = %v, want protocol", raw, err)
		}
		if len(r.Content) != 1 || string(r.Content[0].Raw) != kept || r.Content[0].Problem == "" {
			t.Errorf("%.20s: content = %+v", raw, r.Content)
		}
	}
}

func TestDecodeBase64(t *testing.T) {
	t.Parallel()
	want := string([]byte{0xfb, 0xef, 0xff, 0x01})
	for name, value := range map[string]string{
		"standard":       `"++//AQ=="`,
		"escaped":        `"++\/\/AQ=="`,
		"url alphabet":   `"--__AQ=="`,
		"no padding":     `"++//AQ"`,
		"white space":    `"++//\n AQ==\r\n"`,
		"whole data url": `"data:image/png;base64,++//AQ=="`,
	} {
		got, err := decodeBase64(json.RawMessage(value))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %x, %v, want %x", name, got, err, want)
		}
	}
	for _, value := range []string{`7`, `"*"`, `"AQ=A"`, `{}`} {
		if got, err := decodeBase64(json.RawMessage(value)); err == nil {
			t.Errorf("%s: got %x, want an error", value, got)
		}
	}
}

func FuzzReadResult(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"a"}],"structuredContent":{"a":1e400},"isError":true}`,
		`{"content":[{"type":"image","data":"AQI","mimeType":"image/png"},{"type":"resource","resource":{"uri":"u","blob":"-_"}}]}`,
		`{"content":[[],null,{"type":1}]}`, `{"content":{}}`, `null`, `{`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := readResult(raw, fakeMedia{put: func(data []byte, mimeType string) (model.Media, error) {
			return model.Media{File: "f", URL: "/f", MIMEType: mimeType, Size: int64(len(data))}, nil
		}})
		if _, encoding := json.Marshal(r.Content); encoding != nil {
			t.Errorf("content of %q (%v): %v", raw, err, encoding)
		}
	})
}

func TestReadBlocksKeepsEveryBlock(t *testing.T) {
	t.Parallel()
	got := ReadBlocks([]json.RawMessage{
		json.RawMessage(`{"type":"text","text":"a"}`),
		json.RawMessage(`{"type":"resource","resource":{"uri":"u","blob":"AQI=","mimeType":"image/png"}}`),
		json.RawMessage(`null`),
	}, fakeMedia{})
	if len(got) != 3 || got[0].Text != "a" || got[1].Media == nil || got[2].Kind != model.ContentUnknown {
		t.Errorf("got %+v", got)
	}
}
