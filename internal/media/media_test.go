package media_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kontor.dev/kontor/internal/media"
	"kontor.dev/kontor/internal/model"
)

func open(t *testing.T, max int64) (*media.Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "mcp_media")
	s, err := media.Open(dir, max)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestPutNamesByContentAndTypeAndKeepsOnce(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 0)
	a, err := s.Put([]byte("pixels"), "image/png")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := s.Put([]byte("pixels"), "image/png; charset=x")
	c, _ := s.Put([]byte("pixels"), "audio/wav")
	if a != b {
		t.Errorf("same bytes and type got two names: %v and %v", a, b)
	}
	if a.File == c.File || !strings.HasSuffix(a.File, ".png") || !strings.HasSuffix(c.File, ".wav") {
		t.Errorf("names don't tell types apart: %s, %s", a.File, c.File)
	}
	if a.URL != "/api/mcp-media/"+a.File || a.Size != 6 {
		t.Errorf("got %+v", a)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 {
		t.Errorf("got %d files, want 2", len(entries))
	}
	info, err := os.Stat(filepath.Join(dir, a.File))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, err %v; want 0600", info.Mode(), err)
	}
}

func TestOddTypesBecomeOpaqueDownloads(t *testing.T) {
	t.Parallel()
	s, _ := open(t, 0)
	for _, claim := range []string{"", "nonsense", "x/../../etc", "application/x-thing", "image/png\r\nX: y"} {
		m, err := s.Put([]byte("x"+claim), claim)
		if err != nil {
			t.Fatalf("%q: %v", claim, err)
		}
		if !strings.HasSuffix(m.File, ".bin") || strings.ContainsAny(m.File, "/\r\n") {
			t.Errorf("%q: file %q, want a flat .bin", claim, m.File)
		}
	}
}

func TestTooLargeIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 1024)
	_, err := s.Put(bytes.Repeat([]byte("a"), 2048), "image/png")
	if model.CodeOf(err) != model.CodeTooLarge {
		t.Fatalf("got %v, want too_large", err)
	}
	if want := "a file of 2 KB is over the limit of 1 KB"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Error("something was written")
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	s, _ := open(t, 0)
	put := func(data, mime string) string {
		m, err := s.Put([]byte(data), mime)
		if err != nil {
			t.Fatal(err)
		}
		return m.File
	}
	for _, c := range []struct {
		name, file, rng       string
		status                int
		contentType, download string
		body                  string
	}{
		{"image", put("png", "image/png"), "", 200, "image/png", "", "png"},
		{"range", put("0123456789", "audio/wav"), "bytes=2-4", 206, "audio/wav", "", "234"},
		{"svg is a download", put("<svg onload=alert(1)>", "image/svg+xml"), "", 200, "image/svg+xml", "attachment", "<svg onload=alert(1)>"},
		{"html is a download", put("<script>", "text/html"), "", 200, "text/html", "attachment", "<script>"},
		{"html said to be a png stays a png", put("<script>", "image/png"), "", 200, "image/png", "", "<script>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			if c.rng != "" {
				r.Header.Set("Range", c.rng)
			}
			w := httptest.NewRecorder()
			if err := s.Serve(w, r, c.file); err != nil {
				t.Fatal(err)
			}
			h := w.Header()
			if w.Code != c.status || h.Get("Content-Type") != c.contentType || w.Body.String() != c.body {
				t.Errorf("got %d %s %q", w.Code, h.Get("Content-Type"), w.Body)
			}
			if got := h.Get("Content-Disposition"); !strings.HasPrefix(got, c.download) || (c.download == "") != (got == "") {
				t.Errorf("disposition %q, want %q", got, c.download)
			}
			if h.Get("X-Content-Type-Options") != "nosniff" || !strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
				t.Errorf("headers %v", h)
			}
		})
	}
}

func TestOpenTakesFlatNamesOnly(t *testing.T) {
	t.Parallel()
	s, dir := open(t, 0)
	secret := filepath.Join(filepath.Dir(dir), "key")
	if err := os.WriteFile(secret, []byte("k"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "..", "../key", "..%2fkey", "/etc/passwd", "key", strings.Repeat("a", 32), strings.Repeat("a", 32) + ".png/../../key"} {
		if _, err := s.Open(name); model.CodeOf(err) != model.CodeNotFound {
			t.Errorf("%q: got %v, want not_found", name, err)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1024: "1 KB", 421888: "412 KB", 1572864: "1.5 MB", 3 << 30: "3.0 GB"} {
		if got := media.Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
}
