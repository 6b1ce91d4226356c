package web

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humaecho"
	"github.com/labstack/echo/v4"

	"kontor.dev/kontor/internal/web/wire"
)

// maxBody is what a request may hold: the largest message of a tool call.
const maxBody = 16 << 20

// apiVersion is that of the shapes; it changes when an old client would break.
const apiVersion = "1"

// newAPI makes huma's side of the API on e. The document and the docs page are
// served by us, from our own assets, so huma's own routes are off.
func newAPI(e *echo.Echo) huma.API {
	c := huma.DefaultConfig("Kontor", apiVersion)
	c.Info.Description = "Puts a person in charge of their MCP servers. Errors are application/problem+json (RFC 9457) with a stable code. " +
		"Sign in with a browser session, or send Authorization: Bearer kt_…."
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil // no $schema links in every body
	c.Transformers = []huma.Transformer{asProblem}
	format := huma.Format{Marshal: wire.Encode, Unmarshal: json.Unmarshal}
	c.Formats = map[string]huma.Format{jsonType: format, "json": format} // and all +json
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"session": {Type: "apiKey", In: "cookie", Name: cookiePrefix + "PORT", Description: "A browser session: the cookie's name holds the port of the base address"},
		"token":   {Type: "http", Scheme: "bearer", Description: "kt_…, made in Settings or with `kontor token create`"},
	}
	c.Security = []map[string][]string{{"session": {}}, {"token": {}}}
	c.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[wire.Problem]())
	return humaecho.New(e, c)
}

// handler is one operation's function.
type handler[I, O any] func(context.Context, *I) (*O, error)

// route is one line of the table: how an operation is called and what it does.
type route struct {
	method, path, id, summary string
	status                    int
	// raw operations decode their body themselves: huma would make float64s of
	// its numbers and refuse 1e400.
	raw bool
}

// spliced answers write their JSON themselves; shape is what the document says.
type spliced interface{ shape() any }

const jsonType = "application/json"

// table is the API and where its own failures are logged.
type table struct {
	huma.API
	log *slog.Logger
}

// register adds an operation, its errors turned into problems.
func register[I, O any](api table, r route, h handler[I, O]) {
	op := huma.Operation{
		OperationID: r.id, Method: r.method, Path: "/api/" + r.path, Summary: r.summary,
		DefaultStatus: r.status, MaxBodyBytes: maxBody, SkipValidateBody: r.raw,
		Tags: []string{strings.SplitN(r.path, "/", 2)[0]}, Middlewares: huma.Middlewares{api.onlyJSON},
	}
	if raw, ok := any(new(O)).(spliced); ok {
		op.Responses = map[string]*huma.Response{strconv.Itoa(r.status): {
			Description: http.StatusText(r.status),
			Content: map[string]*huma.MediaType{jsonType: {
				Schema: api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(raw.shape()), true, ""),
			}},
		}}
	}
	huma.Register(api.API, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := h(ctx, in)
		if err != nil {
			p := problemOf(err)
			logFailure(ctx, api.log, p, err, r.method, op.Path)
			return nil, p
		}
		return out, nil
	})
}

// onlyJSON refuses a body of another type before it is read: huma would call it
// JSON with a mistake in it. A body without a type is taken for JSON.
func (api table) onlyJSON(ctx huma.Context, next func(huma.Context)) {
	given := ctx.Header("Content-Type")
	kind, _, err := mime.ParseMediaType(given)
	if ctx.Operation().RequestBody == nil || given == "" || err == nil && (kind == jsonType || strings.HasSuffix(kind, "+json")) {
		next(ctx)
		return
	}
	// It can fail for a client that has left only.
	_ = huma.WriteErr(api.API, ctx, http.StatusUnsupportedMediaType, "Send JSON, with the header Content-Type: "+jsonType+".")
}

// document finishes the OpenAPI document after every operation is registered and
// returns its JSON.
func document(api huma.API) ([]byte, error) {
	components := api.OpenAPI().Components.Schemas
	for _, shape := range []any{wire.Event{}, wire.Subscription{}, wire.Boot{}} {
		components.Schema(reflect.TypeOf(shape), true, "")
	}
	for _, s := range components.Map() {
		relax(s)
	}
	text, err := json.MarshalIndent(api.OpenAPI(), "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI document: %w", err)
	}
	return append(text, '\n'), nil
}

// relax makes a schema say what the API does: members that it doesn't know are
// ignored, and lists are never null.
func relax(s *huma.Schema) {
	if s == nil {
		return
	}
	if closed, ok := s.AdditionalProperties.(bool); ok && !closed {
		s.AdditionalProperties = nil
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	for _, p := range s.Properties {
		relax(p)
	}
	relax(s.Items)
	for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
		relax(one)
	}
}
