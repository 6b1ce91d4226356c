// Package assets holds the built SPA. It knows neither routes nor pages.
package assets

import (
	"embed"
	"io/fs"
)

// dist always holds `.dist`, so that a checkout without a build compiles.
//
//go:embed all:dist
var dist embed.FS

// Dist is the folder that Vite wrote, with its manifest in .vite/manifest.json.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}
