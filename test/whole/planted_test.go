package whole

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// planted are secrets by where they were given to Kontor.
type planted map[string]string

// search reports every secret that is in text, in any form. Where says what the
// text is.
func (p planted) search(t *testing.T, where string, text []byte) {
	t.Helper()
	for source, secret := range p {
		for form, trace := range traces(secret) {
			if i := bytes.Index(text, []byte(trace)); i >= 0 {
				t.Errorf("%s: the secret from %s is there, %s: …%.80q", where, source, form, text[max(0, i-40):])
				break
			}
		}
	}
}

// searchFolder searches every file below dir, and the files' names.
func (p planted) searchFolder(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		p.search(t, path, content)
		p.search(t, "the name of "+path, []byte(path))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// The database and a log at least.
	if files < 2 {
		t.Errorf("only %d files below %s", files, dir)
	}
}

// traces are the forms in which a secret may lie about, by name.
func traces(secret string) map[string]string {
	quoted, _ := json.Marshal(secret)
	plainQuoted := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
	found := map[string]string{
		"plain":             secret,
		"in JSON":           strings.Trim(plainQuoted, `"`),
		"in JSON for HTML":  strings.Trim(string(quoted), `"`),
		"in a query":        url.QueryEscape(secret),
		"in a path":         url.PathEscape(secret),
		"in hex":            hex.EncodeToString([]byte(secret)),
		"in capitals' hex":  strings.ToUpper(hex.EncodeToString([]byte(secret))),
		"in UTF-16":         strings.Join(strings.Split(secret, ""), "\x00"),
		"written backwards": backwards(secret),
	}
	for shift := range 3 {
		name := "in base64, shifted by " + string(rune('0'+shift))
		found[name] = withinBase64(base64.RawStdEncoding, secret, shift)
		found[name+", for URLs"] = withinBase64(base64.RawURLEncoding, secret, shift)
	}
	return found
}

// withinBase64 is what every base64 text has in which the secret begins shift bytes
// after a group of three.
func withinBase64(e *base64.Encoding, secret string, shift int) string {
	begin := (3 - shift) % 3 // the bytes that share a group with what is before
	rest := secret[begin:]
	return e.EncodeToString([]byte(rest[:len(rest)/3*3]))
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// repeated are the forms that a careless server writes a secret in.
func repeated(secret string) []string {
	quoted, _ := json.Marshal(secret)
	return []string{secret, string(quoted), url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte("user:" + secret))}
}

// The search itself must find.
func TestTheSearchFindsEveryForm(t *testing.T) {
	t.Parallel()
	const secret = `a/"secret"+&<value>`
	forms := repeated(secret)
	forms = append(forms, hex.EncodeToString([]byte("x"+secret+"y")), base64.StdEncoding.EncodeToString([]byte("xy"+secret+"z")))
	for _, form := range forms {
		found := false
		for _, trace := range traces(secret) {
			found = found || strings.Contains("text before "+form+" and after", trace)
		}
		if !found {
			t.Errorf("%q is not found", form)
		}
	}
}
