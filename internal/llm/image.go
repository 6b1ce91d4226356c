package llm

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // for their sizes
	_ "image/jpeg"
	_ "image/png"
	"net/http"
)

// What a provider refuses the whole request for, and with it the chat from then on
// (Anthropic: 8000 pixels a side, and 2000 where there are more than 20 images).
const (
	maxSide   = 8000
	maxImages = 20
)

// Visible returns the messages as r wants them sent: with images, or with a line
// of text in place of each that can't be sent.
func (r Request) Visible() []Message {
	earlier := -maxImages
	for _, m := range r.Messages {
		earlier += images(m.Parts)
	}
	v := viewer{none: r.NoImages, earlier: earlier}
	out := make([]Message, len(r.Messages))
	for i, m := range r.Messages {
		out[i] = Message{Role: m.Role, Parts: v.parts(m.Parts)}
	}
	return out
}

func images(parts []Part) (n int) {
	for _, p := range parts {
		switch p := p.(type) {
		case Image:
			n++
		case ToolResult:
			n += images(p.Parts)
		}
	}
	return n
}

// viewer looks at the images of a request, one after the other.
type viewer struct {
	none bool
	// earlier is how many images are still to be left out, because so many follow.
	earlier int
}

func (v *viewer) parts(parts []Part) []Part {
	out := make([]Part, len(parts))
	for i, p := range parts {
		switch p := p.(type) {
		case Image:
			out[i] = v.image(p)
		case ToolResult:
			p.Parts = v.parts(p.Parts)
			out[i] = p
		default:
			out[i] = p
		}
	}
	return out
}

// image gives an image the type that its bytes have: servers name the wrong one, which
// is refused.
func (v *viewer) image(i Image) Part {
	v.earlier--
	why := "this model can't see it"
	if kind := http.DetectContentType(i.Bytes); !v.none && seen(kind) {
		switch size, _, err := image.DecodeConfig(bytes.NewReader(i.Bytes)); {
		case v.earlier >= 0:
			why = "an earlier one, left out now"
		case err != nil && kind != "image/webp": // whose size isn't read
		case max(size.Width, size.Height) > maxSide:
			why = fmt.Sprintf("%d × %d pixels are more than can be sent", size.Width, size.Height)
		default:
			return Image{MIME: kind, Bytes: i.Bytes}
		}
	}
	return Text{fmt.Sprintf("[image, %s, %d KB: %s]", i.MIME, (len(i.Bytes)+1023)/1024, why)}
}

// seen says whether the providers take an image of this type.
func seen(mime string) bool {
	switch mime {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return true
	}
	return false
}
