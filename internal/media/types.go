package media

import (
	"fmt"
	"strings"
)

// mediaType is one type that keeps a name of its own on disk.
type mediaType struct {
	mime, ext string
	// inline types are drawn by the browser itself and can't run script. All
	// others, and whatever is not listed, are downloads.
	inline bool
}

// types is asked both ways; the first match of an extension is what it is
// served as.
func types() []mediaType {
	return []mediaType{
		{"image/png", ".png", true},
		{"image/jpeg", ".jpg", true},
		{"image/gif", ".gif", true},
		{"image/webp", ".webp", true},
		{"image/avif", ".avif", true},
		{"image/bmp", ".bmp", true},
		{"image/svg+xml", ".svg", false},
		{"audio/mpeg", ".mp3", true},
		{"audio/mp3", ".mp3", true},
		{"audio/wav", ".wav", true},
		{"audio/x-wav", ".wav", true},
		{"audio/wave", ".wav", true},
		{"audio/ogg", ".ogg", true},
		{"audio/flac", ".flac", true},
		{"audio/mp4", ".m4a", true},
		{"audio/aac", ".aac", true},
		{"audio/webm", ".weba", true},
		{"video/mp4", ".mp4", true},
		{"video/webm", ".webm", true},
		{"video/quicktime", ".mov", true},
		{"text/plain", ".txt", true},
		{"text/markdown", ".md", false},
		{"text/csv", ".csv", false},
		{"text/html", ".html", false},
		{"text/xml", ".xml", false},
		{"application/xml", ".xml", false},
		{"application/json", ".json", false},
		{"application/pdf", ".pdf", false},
		{"application/zip", ".zip", false},
		{"application/gzip", ".gz", false},
	}
}

const unknownExt = ".bin"

// extension is the file name ending for a MIME type.
func extension(mimeType string) string {
	for _, t := range types() {
		if t.mime == mimeType {
			return t.ext
		}
	}
	return unknownExt
}

// byExtension is what a file is served as; ok is false for unknown endings.
func byExtension(file string) (mediaType, bool) {
	ext := file[strings.LastIndexByte(file, '.'):]
	for _, t := range types() {
		if t.ext == ext {
			return t, true
		}
	}
	return mediaType{mime: "application/octet-stream", ext: unknownExt}, false
}

// Size writes a number of bytes as a person reads it: `412 KB`, `1.5 MB`.
// A kilobyte is 1024 bytes here, as in file managers.
func Size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+1<<9)>>10)
	case n < 1<<30:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}
