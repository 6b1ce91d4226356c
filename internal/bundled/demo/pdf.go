package demo

import (
	"bytes"
	"fmt"
	"strings"
)

// pdf is a one-page PDF 1.4 file that says title. Characters that its built-in
// font's standard encoding lacks become question marks.
func pdf(title string) []byte {
	content := fmt.Sprintf("BT /F1 24 Tf 40 120 Td (%s) Tj ET\n0.2 0.5 0.7 rg 40 60 315 8 re f", pdfText(title))
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	var out bytes.Buffer
	out.WriteString("%PDF-1.4\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = out.Len()
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := out.Len()
	// Entries are 20 bytes each, blank before the newline included (ISO 32000-1, 7.5.4).
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	return out.Bytes()
}

// pdfText escapes text for a PDF literal string.
func pdfText(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case r >= ' ' && r <= '~':
			out.WriteRune(r)
		default:
			out.WriteByte('?')
		}
	}
	return out.String()
}
