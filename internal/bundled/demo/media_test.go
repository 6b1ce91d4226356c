package demo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"regexp"
	"strconv"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestPictureHasTheSizeAskedFor(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{1, 1}, {7, 300}, {480, 320}} {
		data, err := picture(pictureArgs{Width: size[0], Height: size[1], Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if got := decoded.Bounds().Size(); got.X != size[0] || got.Y != size[1] {
			t.Errorf("got %v, want %v", got, size)
		}
	}
}

func TestPictureDependsOnTheSeedAlone(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) []byte {
		data, err := picture(pictureArgs{Width: 60, Height: 40, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	if !bytes.Equal(draw(5), draw(5)) {
		t.Error("the same seed drew two pictures")
	}
	if bytes.Equal(draw(5), draw(6)) {
		t.Error("two seeds drew the same picture")
	}
}

func TestSoundIsAWaveOfTheLengthAskedFor(t *testing.T) {
	t.Parallel()
	data, err := tone(soundArgs{Seconds: 0.5, Hertz: 440})
	if err != nil {
		t.Fatal(err)
	}
	var header wavHeader
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &header); err != nil {
		t.Fatal(err)
	}
	if string(header.RIFF[:]) != "RIFF" || string(header.WAVE[:]) != "WAVE" || int(header.Size) != len(data)-8 {
		t.Errorf("got the header %+v for %d bytes", header, len(data))
	}
	if got, want := int(header.DataSize), sampleRate/2*bytesPerSample; got != want || len(data) != want+44 {
		t.Errorf("got %d bytes of samples in %d, want %d", got, len(data), want)
	}
}

func TestPDFIsWellFormed(t *testing.T) {
	t.Parallel()
	data := pdf(`Brackets ( ) and \ and ü`)
	if !bytes.Contains(data, []byte(`(Brackets \( \) and \\ and ?) Tj`)) {
		t.Error("the title isn't escaped")
	}
	start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(data)
	if start == nil {
		t.Fatal("no startxref at the end")
	}
	table, _ := strconv.Atoi(string(start[1]))
	if !bytes.HasPrefix(data[table:], []byte("xref\n0 6\n")) {
		t.Fatalf("startxref leads to %.20q", data[table:])
	}
	for i, entry := range regexp.MustCompile(`(\d{10}) 00000 n \n`).FindAllSubmatch(data, -1) {
		offset, _ := strconv.Atoi(string(entry[1]))
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(data[offset:], []byte(want)) {
			t.Errorf("entry %d leads to %.20q, want %q", i+1, data[offset:], want)
		}
	}
	stream := regexp.MustCompile(`(?s)/Length (\d+) >>\nstream\n(.*)\nendstream`).FindSubmatch(data)
	if length, _ := strconv.Atoi(string(stream[1])); length != len(stream[2]) {
		t.Errorf("the stream has %d bytes and says %d", len(stream[2]), length)
	}
}

func TestMixedHasEveryKindInOrder(t *testing.T) {
	everyWay(t, func(t *testing.T, w way) {
		p := connect(t, w, nil)
		var got []string
		for _, block := range p.call(t, "mixed", nil).Content {
			got = append(got, kindOf(block))
		}
		want := []string{"text", "image/png", "audio/wav", "text/plain", "application/pdf", "demo://readme", "text"}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func kindOf(block mcp.Content) string {
	switch block := block.(type) {
	case *mcp.TextContent:
		return "text"
	case *mcp.ImageContent:
		return block.MIMEType
	case *mcp.AudioContent:
		return block.MIMEType
	case *mcp.EmbeddedResource:
		return block.Resource.MIMEType
	case *mcp.ResourceLink:
		return block.URI
	}
	return fmt.Sprintf("%T", block)
}

func TestDocumentComesInEachKind(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"pdf": "application/pdf", "text": "text/plain", "markdown": "text/markdown",
		"html": "text/html", "svg": "image/svg+xml", "bytes": "application/octet-stream",
	} {
		got := document(documentArgs{Kind: kind, Title: "T"})
		if got.MIMEType != want || (got.Text == "") == (got.Blob == nil) {
			t.Errorf("%s: got %s with %d characters and %d bytes", kind, got.MIMEType, len(got.Text), len(got.Blob))
		}
	}
}

func TestLinkLeadsWhereItShould(t *testing.T) {
	t.Parallel()
	p := connect(t, way{"memory", newer}, nil)
	result := p.call(t, "link", map[string]any{"uri": "https://example.com/a?b=c"})
	if got, want := kindOf(result.Content[0]), "https://example.com/a?b=c"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	own := p.call(t, "link", nil).Content[0].(*mcp.ResourceLink)
	if own.MIMEType != "text/markdown" || own.Size == nil || *own.Size != int64(len(readme)) {
		t.Errorf("got %+v, want Markdown of %d bytes", own, len(readme))
	}
}
