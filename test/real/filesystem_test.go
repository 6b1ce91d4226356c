//go:build real

package real

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kontor.dev/kontor/test/kontor"
)

// folder is what server-filesystem works in.
type folder struct {
	dir        string
	image, wav []byte
}

func makeFolder(t *testing.T) folder {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := folder{dir: dir, image: []byte("\x89PNG\r\n\x1a\nnot really"), wav: []byte("RIFF\x00\xff not really")}
	for name, content := range map[string][]byte{
		"poem.txt": []byte("one\ntwo\nthree\n"), "note.txt": []byte("grün"), "pixel.png": f.image, "beep.wav": f.wav, "raw.bin": {0, 1, 2, 255},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func (f folder) path(name string) string { return filepath.Join(f.dir, name) }

// with puts paths into JSON: $name is the path of a file.
func (f folder) with(text string) string {
	return regexp.MustCompile(`\$[a-z.]+`).ReplaceAllStringFunc(text, func(name string) string { return f.path(name[1:]) })
}

// content is the structured result that most of the tools have.
func (f folder) content(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(struct {
		Content string `json:"content"`
	}{text})
	return strings.TrimSpace(b.String())
}

func TestServerFilesystem(t *testing.T) {
	t.Parallel()
	f := makeFolder(t)
	k := kontor.Start(t, kontor.Options{})
	s := k.AddReady("fs", node(t, filesystem, f.dir))
	if s.Status.Era != "legacy" || s.Status.ServerName != "secure-filesystem-server" {
		t.Errorf("got %+v", s.Status)
	}
	everyTool(t, k, "fs", append(f.reading(), f.writing()...), nil)
	t.Run("outside", func(t *testing.T) {
		run{tool: "read_text_file", arguments: `{"path": "/etc/hostname"}`, isError: true,
			text: "Access denied - path outside allowed directories: /etc/hostname not in " + f.dir}.on(t, k, "fs")
	})
}

func (f folder) reading() []run {
	return []run{
		{tool: "list_allowed_directories", json: f.content("Allowed directories:\n" + f.dir)},
		{tool: "read_file", arguments: f.with(`{"path": "$note.txt"}`), json: f.content("grün")},
		{tool: "read_text_file", arguments: f.with(`{"path": "$poem.txt", "head": 2}`), json: f.content("one\ntwo")},
		{tool: "read_multiple_files", arguments: f.with(`{"paths": ["$note.txt", "$poem.txt"]}`),
			json: f.content(f.path("note.txt") + ":\ngrün\n\n---\n" + f.path("poem.txt") + ":\none\ntwo\nthree\n\n")},
		{tool: "read_media_file", arguments: f.with(`{"path": "$pixel.png"}`), check: f.media("image", "image/png", f.image)},
		{tool: "read_media_file", arguments: f.with(`{"path": "$beep.wav"}`), check: f.media("audio", "audio/wav", f.wav)},
		{tool: "read_media_file", arguments: f.with(`{"path": "$raw.bin"}`), check: f.media("resource", "application/octet-stream", []byte{0, 1, 2, 255})},
		{tool: "get_file_info", arguments: f.with(`{"path": "$poem.txt"}`), check: f.info},
		{tool: "search_files", arguments: fmt.Sprintf(`{"path": %q, "pattern": "p*.txt"}`, f.dir), json: f.content(f.path("poem.txt"))},
		{tool: "directory_tree", arguments: fmt.Sprintf(`{"path": %q, "excludePatterns": ["*.txt", "*.wav", "*.bin"]}`, f.dir),
			json: f.content("[\n  {\n    \"name\": \"pixel.png\",\n    \"type\": \"file\"\n  }\n]")},
	}
}

func (f folder) writing() []run {
	return []run{
		{tool: "create_directory", arguments: f.with(`{"path": "$sub"}`), json: f.content("Successfully created directory " + f.path("sub"))},
		{tool: "write_file", arguments: f.with(`{"path": "$new.txt", "content": "a\nb\n"}`), json: f.content("Successfully wrote to " + f.path("new.txt")), check: f.holds("new.txt", "a\nb\n")},
		{tool: "edit_file", arguments: f.with(`{"path": "$new.txt", "edits": [{"oldText": "b", "newText": "c"}]}`), check: f.edited},
		{tool: "move_file", arguments: f.with(`{"source": "$new.txt", "destination": "$moved.txt"}`),
			json: f.content("Successfully moved " + f.path("new.txt") + " to " + f.path("moved.txt")), check: f.holds("moved.txt", "a\nc\n")},
		{tool: "list_directory", arguments: fmt.Sprintf(`{"path": %q}`, f.path("sub")), json: `{"content":""}`},
		{tool: "list_directory_with_sizes", arguments: fmt.Sprintf(`{"path": %q, "sortBy": "size"}`, f.path("sub")),
			json: f.content("\nTotal: 0 files, 0 directories\nCombined size: 0 B")},
	}
}

// media: the block's bytes are a file; the structured content repeats them as the
// server sent it.
func (f folder) media(kind, mimeType string, want []byte) func(*testing.T, *kontor.Kontor, kontor.Call) {
	return func(t *testing.T, k *kontor.Kontor, c kontor.Call) {
		if len(c.Content) != 1 || c.Content[0].Kind != kind || c.Content[0].Media == nil {
			t.Fatalf("got %+v, want one %s", c.Content, kind)
		}
		if got := c.Content[0].Media; got.MIMEType != mimeType || got.Size != int64(len(want)) {
			t.Errorf("got %+v, want %s of %d bytes", got, mimeType, len(want))
		}
		file := k.Bytes(*c.Content[0].Media)
		if !bytes.Equal(file.Body, want) || file.Header.Get("Content-Type") != mimeType || file.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("the file is %q, %v", file.Body, file.Header)
		}
		if c.ResultType != "string" || !strings.Contains(c.Text(), c.Content[0].Media.URL) {
			t.Errorf("got %s %q, want a text with the link", c.ResultType, c.Text())
		}
		if !strings.Contains(string(c.Structured), `"content":[{"type":"`+kind+`"`) {
			t.Errorf("the structured content is %.200s", c.Structured)
		}
	}
}

func (f folder) info(t *testing.T, _ *kontor.Kontor, c kontor.Call) {
	var got struct{ Content string }
	if err := json.Unmarshal(c.Structured, &got); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"size: 14\n", "isDirectory: false\n", "isFile: true\n", "permissions: 600"} {
		if !strings.Contains(got.Content, line) {
			t.Errorf("%q has no %q", got.Content, line)
		}
	}
}

func (f folder) holds(name, want string) func(*testing.T, *kontor.Kontor, kontor.Call) {
	return func(t *testing.T, _ *kontor.Kontor, _ kontor.Call) {
		if got, err := os.ReadFile(f.path(name)); err != nil || string(got) != want {
			t.Errorf("%s holds %q, %v, want %q", name, got, err, want)
		}
	}
}

func (f folder) edited(t *testing.T, k *kontor.Kontor, c kontor.Call) {
	if !strings.Contains(string(c.Structured), `-b\n+c\n`) {
		t.Errorf("got %s, want the difference", c.Structured)
	}
	f.holds("new.txt", "a\nc\n")(t, k, c)
}
