package cases

import (
	"encoding/base64"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// tool is a server with one tool that always comes to the same.
func tool(definition, result string) server {
	return server{tools: definition, on: map[string]handler{"tools/call": always(result)}}
}

const withSchema = `{"name":"echo","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`

// results are what tools come to.
func results() []fault {
	pdf := base64.StdEncoding.EncodeToString([]byte("%PDF-1.7 of ours"))
	return []fault{
		{
			name:   "data-and-the-same-as-text",
			server: tool(withSchema, `{"content":[{"type":"text","text":"{ \"b\": 2.50, \"n\": 1 }"}],"structuredContent":{"n":1,"b":2.50}}`),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				if c.ResultType != "json" || string(c.Result) != `{"n":1,"b":2.50}` || string(c.Structured) != string(c.Result) {
					t.Errorf("got %s %s", c.ResultType, c.Result)
				}
				if len(c.Content) != 1 || c.Content[0].Text != `{ "b": 2.50, "n": 1 }` {
					t.Errorf("the text is %+v", c.Content)
				}
			},
		},
		{
			name:   "text-where-data-was-promised",
			server: tool(withSchema, `{"content":[{"type":"text","text":"7"}]}`),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if got := done(t, k, name, "echo", `{}`); got != "7" {
					t.Errorf("got %q", got)
				}
			},
		},
		{
			name:   "error-where-data-was-promised",
			server: tool(withSchema, `{"content":[{"type":"text","text":"no luck"}],"isError":true}`),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				if c := call(k, name, "echo", `{}`); c.State != "done" || !c.IsError || c.Text() != "no luck" {
					t.Errorf("got %s, error %v, %q", c.State, c.IsError, c.Text())
				}
			},
		},
		{
			name: "embedded-file",
			server: tool(echo, `{"content":[{"type":"text","text":"the report"},
				{"type":"resource","resource":{"uri":"f://r.pdf","mimeType":"application/pdf","blob":"`+pdf+`"}}]}`),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				if len(c.Content) != 2 || c.Content[0].Text != "the report" || c.Content[1].Media == nil {
					t.Fatalf("got %+v", c.Content)
				}
				file := c.Content[1]
				if file.Kind != "resource" || file.URI != "f://r.pdf" || file.Media.MIMEType != "application/pdf" || file.Media.Size != 16 {
					t.Errorf("got %+v, %+v", file, file.Media)
				}
				if got := k.Bytes(*file.Media); string(got.Body) != "%PDF-1.7 of ours" {
					t.Errorf("the file holds %q", got.Body)
				}
				holds(t, c.Text(), "the report", file.Media.URL)
			},
		},
		{
			name:   "embedded-text",
			server: tool(echo, `{"content":[{"type":"resource","resource":{"uri":"n://1","mimeType":"text/markdown","text":"# Hi"}}]}`),
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				holds(t, c.Text(), "# Hi")
				if len(c.Content) != 1 || c.Content[0].Text != "# Hi" || c.Content[0].MIMEType != "text/markdown" || c.Content[0].URI != "n://1" {
					t.Errorf("got %+v", c.Content)
				}
			},
		},
		{
			name: "link-to-a-resource",
			server: server{tools: echo, resources: "-", on: map[string]handler{
				"resources/list": always(complete(`"resources":[]`)),
				"tools/call": always(`{"content":[{"type":"text","text":"see"},
					{"type":"resource_link","uri":"r://q3","name":"report","mimeType":"application/pdf","size":5}]}`),
				"resources/read": func(m message, _ func(string)) string {
					return complete(`"contents":[{"uri":` + string(member(m.Params, "uri")) + `,"text":"Q3"}]`)
				},
			}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				if len(c.Content) != 2 {
					t.Fatalf("got %+v", c.Content)
				}
				if link := c.Content[1]; link.Kind != "link" || link.URI != "r://q3" || link.Name != "report" || link.MIMEType != "application/pdf" || !strings.Contains(string(link.Raw), `"size":5`) {
					t.Errorf("got %+v", link)
				}
				holds(t, c.Text(), "see", "r://q3", "application/pdf, 5 B")
				var read struct{ Contents []kontor.Content }
				k.Post("/api/resources/read", map[string]string{"server": name, "uri": "r://q3"}, &read)
				if len(read.Contents) != 1 || read.Contents[0].Text != "Q3" {
					t.Errorf("read %+v", read.Contents)
				}
			},
		},
		{
			name: "megabytes-of-text",
			server: server{tools: echo, on: map[string]handler{"tools/call": func(message, func(string)) string {
				return text(strings.Repeat("2026-11-30 a line of the log\n", 4<<20/29) + strings.Repeat("x", 1<<20))
			}}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				if got, want := len(c.Text()), 4<<20/29*29+1<<20; got != want {
					t.Errorf("kept are %d bytes of %d", got, want)
				}
				if list := k.Get("/api/calls?server="+name, nil); len(list) > 64<<10 {
					t.Errorf("a list with the call has %d bytes", len(list))
				}
			},
		},
		{
			name: "picture-and-sound",
			server: server{tools: echo, on: map[string]handler{"tools/call": func(message, func(string)) string {
				return `{"content":[{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("iVBO", 120_000) + `"},` +
					`{"type":"audio","mimeType":"audio/wav","data":"UklGRg=="}]}`
			}}},
			check: func(t *testing.T, k *kontor.Kontor, name string) {
				k.AwaitState(name, "ready")
				c := call(k, name, "echo", `{}`)
				if len(c.Media) != 2 || c.Media[0].MIMEType != "image/png" || c.Media[0].Size != 360_000 || c.Media[1].MIMEType != "audio/wav" || c.Media[1].Size != 4 {
					t.Errorf("got %+v", c.Media)
				}
				if len(c.Result) > 1000 || strings.Contains(string(c.Result), "iVBO") {
					t.Errorf("the picture is in the result as text: %d bytes", len(c.Result))
				}
			},
		},
	}
}
