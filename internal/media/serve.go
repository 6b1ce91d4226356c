package media

import (
	"net/http"
	"time"
)

// Serve answers GET and HEAD for one file, with ranges. The caller has checked
// that the asker may see it. The type goes by the file's ending and is never
// sniffed; whatever could run script (SVG, HTML, XML) or is unknown comes as a
// download, and the policy forbids it everything even if a browser opened it.
// An error means that nothing was written yet.
func (s *Store) Serve(w http.ResponseWriter, r *http.Request, file string) error {
	f, err := s.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	t, _ := byExtension(file)
	h := w.Header()
	h.Set("Content-Type", t.mime)
	if t.mime == "text/plain" {
		h.Set("Content-Type", "text/plain; charset=utf-8")
	}
	if !t.inline {
		// Without a name: it would win over the one that a link gives (its download
		// attribute, HTML section 4.6.5), which is the server's own and says more.
		h.Set("Content-Disposition", "attachment")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	// The name is the hash of the content: it can never mean anything else.
	h.Set("Cache-Control", "private, max-age=31536000, immutable")
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}
