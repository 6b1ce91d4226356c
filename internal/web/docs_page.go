package web

import (
	"net/http"
	"sort"

	"github.com/danielgtaylor/huma/v2"
	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/templates"
)

// docsPage is the readable page of the API, from the same document as
// openapi.json. The usual renderers insert styles of their own, which our policy
// forbids, so it is a page without script.
func (s *Server) docsPage(doc *huma.OpenAPI) echo.HandlerFunc {
	operations := operationsOf(doc)
	shapes := shapesOf(doc.Components.Schemas.Map())
	return func(c echo.Context) error {
		return render(c, http.StatusOK, templates.DocsPage(templates.Docs{
			Page: s.page("API"), Description: doc.Info.Description, Operations: operations, Shapes: shapes,
		}))
	}
}

func operationsOf(doc *huma.OpenAPI) []templates.Operation {
	var out []templates.Operation
	for path, item := range doc.Paths {
		for method, op := range map[string]*huma.Operation{
			"GET": item.Get, "POST": item.Post, "PUT": item.Put, "PATCH": item.Patch, "DELETE": item.Delete,
		} {
			if op == nil {
				continue
			}
			o := templates.Operation{Method: method, Path: path, Summary: op.Summary}
			for _, p := range op.Parameters {
				o.Parameters = append(o.Parameters, templates.Member{
					Name: p.Name, Type: shapeName(p.Schema), Required: p.Required, Help: p.Description,
				})
			}
			if op.RequestBody != nil {
				o.Request = shapeName(op.RequestBody.Content[jsonType].Schema)
			}
			for _, status := range []string{"200", "201"} {
				if r := op.Responses[status]; r != nil && r.Content[jsonType] != nil {
					o.Answer = shapeName(r.Content[jsonType].Schema)
				}
			}
			out = append(out, o)
		}
	}
	sort.Slice(out, func(i, j int) bool {
		return out[i].Path < out[j].Path || out[i].Path == out[j].Path && out[i].Method < out[j].Method
	})
	return out
}

func shapesOf(schemas map[string]*huma.Schema) []templates.Shape {
	var out []templates.Shape
	for name, schema := range schemas {
		shape := templates.Shape{Name: name, Help: schema.Description}
		for _, one := range schema.OneOf {
			shape.OneOf = append(shape.OneOf, shapeName(one))
		}
		required := map[string]bool{}
		for _, r := range schema.Required {
			required[r] = true
		}
		for member, s := range schema.Properties {
			shape.Members = append(shape.Members, templates.Member{
				Name: member, Type: shapeName(s), Required: required[member], Help: s.Description,
			})
		}
		sort.Slice(shape.Members, func(i, j int) bool { return shape.Members[i].Name < shape.Members[j].Name })
		out = append(out, shape)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}
