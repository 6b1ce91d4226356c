package demo

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kontor.dev/kontor/internal/bundled/kit"
)

type pictureArgs struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Seed   uint64 `json:"seed"`
}

func (d *demo) addPicture() {
	mcp.AddTool(d.server, &mcp.Tool{
		Name:        "picture",
		Title:       "Picture",
		Description: "Draws a picture, an evening sky with discs, and answers with it as PNG. The same seed gives the same picture.",
		Annotations: kit.ReadOnly(),
		InputSchema: schema(`{
			"type": "object",
			"properties": {
				"width": {"type": "integer", "title": "Width", "description": "In pixels.", "minimum": 1, "maximum": 2048, "default": 480},
				"height": {"type": "integer", "title": "Height", "description": "In pixels.", "minimum": 1, "maximum": 2048, "default": 320},
				"seed": {"type": "integer", "title": "Seed", "description": "Which picture.", "minimum": 0, "maximum": 1000000, "default": 1}
			},
			"additionalProperties": false
		}`),
	}, func(_ context.Context, _ *mcp.CallToolRequest, args pictureArgs) (*mcp.CallToolResult, any, error) {
		data, err := picture(args)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.ImageContent{Data: data, MIMEType: "image/png"},
		}}, nil, nil
	})
}

// picture draws a gradient from top to bottom with half-transparent discs on it.
func picture(args pictureArgs) ([]byte, error) {
	random := rand.New(rand.NewPCG(args.Seed, args.Seed))
	canvas := image.NewNRGBA(image.Rect(0, 0, args.Width, args.Height))
	top, bottom := shade(random, 40, 60), shade(random, 180, 70)
	for y := range args.Height {
		line := image.Rect(0, y, args.Width, y+1)
		draw.Draw(canvas, line, image.NewUniform(between(top, bottom, y, args.Height)), image.Point{}, draw.Src)
	}
	size := min(args.Width, args.Height)
	for range 12 {
		d := disc{
			centre: image.Pt(random.IntN(args.Width), random.IntN(args.Height)),
			radius: size/16 + random.IntN(size/5+1),
		}
		paint := image.NewUniform(shade(random, 140, 110))
		draw.DrawMask(canvas, canvas.Bounds(), paint, image.Point{}, d, image.Point{}, draw.Over)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, canvas); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return out.Bytes(), nil
}

// shade is a random opaque colour with channels from least to least+spread.
func shade(random *rand.Rand, least, spread int) color.NRGBA {
	channel := func() uint8 { return uint8(least + random.IntN(spread)) }
	return color.NRGBA{R: channel(), G: channel(), B: channel(), A: 255}
}

func between(a, b color.NRGBA, at, of int) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(int(a) + (int(b)-int(a))*at/of) }
	return color.NRGBA{R: mix(a.R, b.R), G: mix(a.G, b.G), B: mix(a.B, b.B), A: 255}
}

// disc is a mask: half transparent inside, nothing outside.
type disc struct {
	centre image.Point
	radius int
}

func (disc) ColorModel() color.Model { return color.AlphaModel }

func (d disc) Bounds() image.Rectangle {
	r := image.Pt(d.radius, d.radius)
	return image.Rectangle{Min: d.centre.Sub(r), Max: d.centre.Add(r).Add(image.Pt(1, 1))}
}

func (d disc) At(x, y int) color.Color {
	dx, dy := x-d.centre.X, y-d.centre.Y
	if dx*dx+dy*dy > d.radius*d.radius {
		return color.Alpha{}
	}
	return color.Alpha{A: 130}
}
