package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/web/wire"
	"kontor.dev/kontor/templates"
)

// build is what Vite made, by the names of its manifest.
type build struct {
	files fs.FS
	// app and pages are what the shell and the pages without script link; closing is for
	// a tab that closes itself.
	app, pages, closing templates.Assets
}

// The entries of the SPA's build.
const (
	appEntry     = "src/main.ts"
	pagesEntry   = "src/pages.css"
	closingEntry = "src/signin/tab.ts"
)

// chunk is an entry of Vite's manifest (https://vite.dev/guide/backend-integration).
type chunk struct {
	File    string   `json:"file"`
	CSS     []string `json:"css"`
	Imports []string `json:"imports"`
}

// readBuild reads the manifest; without one there was no build. dev is the address
// of a running Vite, which serves the sources instead.
func readBuild(files fs.FS, dev string) (*build, error) {
	if dev != "" {
		return &build{
			files:   files,
			app:     templates.Assets{Scripts: []string{dev + "/@vite/client", dev + "/" + appEntry}},
			pages:   templates.Assets{Styles: []string{dev + "/" + pagesEntry}},
			closing: templates.Assets{Scripts: []string{dev + "/" + closingEntry}},
		}, nil
	}
	raw, err := fs.ReadFile(files, ".vite/manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return &build{files: files}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("manifest of the SPA: %w", err)
	}
	var manifest map[string]chunk
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return nil, fmt.Errorf("manifest of the SPA: %w", err)
	}
	b := &build{files: files}
	if b.app, err = linked(manifest, appEntry); err != nil {
		return nil, err
	}
	if b.pages, err = linked(manifest, pagesEntry); err != nil {
		return nil, err
	}
	b.closing, err = linked(manifest, closingEntry)
	return b, err
}

// linked is what a page must link for an entry: the entry and the styles of all
// that it imports.
func linked(manifest map[string]chunk, entry string) (templates.Assets, error) {
	main, ok := manifest[entry]
	if !ok {
		return templates.Assets{}, fmt.Errorf("manifest of the SPA has no entry %s", entry)
	}
	var a templates.Assets
	seen := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if seen[name] {
			return
		}
		seen[name] = true
		for _, imported := range manifest[name].Imports {
			visit(imported)
		}
		for _, css := range manifest[name].CSS {
			a.Styles = append(a.Styles, "/"+css)
		}
	}
	visit(entry)
	if strings.HasSuffix(main.File, ".css") {
		a.Styles = append(a.Styles, "/"+main.File)
	} else {
		a.Scripts = append(a.Scripts, "/"+main.File)
	}
	return a, nil
}

func (b *build) missing() bool { return len(b.app.Scripts) == 0 }

// asset serves a built file. Those under /assets/ have a hash in their name and
// never change.
func (s *Server) asset(c echo.Context) error {
	name := strings.TrimPrefix(path.Clean("/"+c.Request().URL.Path), "/")
	info, err := fs.Stat(s.build.files, name)
	if err != nil || info.IsDir() {
		return wire.NewProblem(model.CodeNotFound, "There is no such file in this version of Kontor.")
	}
	if strings.HasPrefix(name, "assets/") {
		c.Response().Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	} else {
		c.Response().Header().Set("Cache-Control", "no-cache")
	}
	http.ServeFileFS(c.Response(), c.Request(), s.build.files, name)
	return nil
}
