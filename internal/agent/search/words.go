package search

import (
	"strings"
	"unicode"

	"kontor.dev/kontor/internal/model"
)

const (
	// maxWords bounds a query, maxDescription, in bytes, what of a description is
	// indexed.
	maxWords       = 32
	maxDescription = 4 << 10
	// minPart is the length, in bytes, from which a word is also looked for at the
	// beginning of longer ones and inside of names.
	minPart = 3
)

// wordsOf is what a tool is found by.
func wordsOf(t model.Tool) model.ToolWords {
	return model.ToolWords{
		Server: t.Server, Tool: t.Name,
		Names: strings.Join([]string{t.Name, apart(t.Name), t.Server, apart(t.Server)}, " "),
		Title: t.Title, Description: strings.ToValidUTF8(t.Description[:min(len(t.Description), maxDescription)], ""),
	}
}

// apart writes the words of a name apart: createIssue2 has create and Issue2.
func apart(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) {
			ends := unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]) // HTTPServer
			if ends || unicode.IsLower(runes[i-1]) {
				b.WriteByte(' ')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// queryWords are the words of a query, small and each once.
func queryWords(query string) []string {
	query = strings.ToValidUTF8(query, " ")
	fields := strings.FieldsFunc(query+" "+apart(query), func(r rune) bool {
		return !unicode.In(r, unicode.L, unicode.M, unicode.N)
	})
	seen := map[string]bool{}
	var words []string
	for _, w := range fields {
		w = strings.ToLower(w)
		if !seen[w] && len(words) < maxWords {
			seen[w] = true
			words = append(words, w)
		}
	}
	return words
}

// expression asks FTS5 for any of the words. Each is quoted: none is taken for an
// operator. They hold no quote, since they are letters and digits.
func expression(words []string) string {
	terms := make([]string, len(words))
	for i, w := range words {
		terms[i] = `"` + w + `"`
		if len(w) >= minPart {
			terms[i] += "*"
		}
	}
	return strings.Join(terms, " OR ")
}
