package demo

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type soundArgs struct {
	Seconds float64 `json:"seconds"`
	Hertz   float64 `json:"hertz"`
}

func (d *demo) addSound() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "sound",
		Title:       "Sound",
		Description: "Answers with a soft tone as WAV audio.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"seconds": {"type": "number", "title": "Seconds", "description": "How long.", "minimum": 0.1, "maximum": 30, "default": 1},
				"hertz": {"type": "number", "title": "Hertz", "description": "How high; 440 is concert pitch.", "minimum": 20, "maximum": 10000, "default": 440}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args soundArgs) (*mcp.CallToolResult, any, error) {
		data, err := tone(args)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.AudioContent{Data: data, MIMEType: "audio/wav"},
		}}, nil, nil
	})
}

const (
	sampleRate     = 22050
	bytesPerSample = 2
	loudness       = 0.4
	// fade, in seconds, keeps the tone from clicking at its ends.
	fade = 0.03
)

// wavHeader is a RIFF file up to its samples: 16-bit PCM, one channel.
type wavHeader struct {
	RIFF          [4]byte
	Size          uint32
	WAVE, Fmt     [4]byte
	FmtSize       uint32
	Format        uint16
	Channels      uint16
	SampleRate    uint32
	ByteRate      uint32
	BlockAlign    uint16
	BitsPerSample uint16
	Data          [4]byte
	DataSize      uint32
}

func tone(args soundArgs) ([]byte, error) {
	count := int(args.Seconds * sampleRate)
	samples := make([]int16, count)
	for i := range samples {
		at := float64(i) / sampleRate
		left := args.Seconds - at
		volume := loudness * min(1, at/fade, left/fade)
		samples[i] = int16(volume * math.MaxInt16 * math.Sin(2*math.Pi*args.Hertz*at))
	}
	size := uint32(count * bytesPerSample)
	header := wavHeader{
		RIFF: [4]byte{'R', 'I', 'F', 'F'}, Size: size + 36,
		WAVE: [4]byte{'W', 'A', 'V', 'E'}, Fmt: [4]byte{'f', 'm', 't', ' '},
		FmtSize: 16, Format: 1, Channels: 1,
		SampleRate: sampleRate, ByteRate: sampleRate * bytesPerSample,
		BlockAlign: bytesPerSample, BitsPerSample: bytesPerSample * 8,
		Data: [4]byte{'d', 'a', 't', 'a'}, DataSize: size,
	}
	var out bytes.Buffer
	for _, part := range []any{header, samples} {
		if err := binary.Write(&out, binary.LittleEndian, part); err != nil {
			return nil, fmt.Errorf("write audio: %w", err)
		}
	}
	return out.Bytes(), nil
}
