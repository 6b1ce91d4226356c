package web

import (
	"context"
	"encoding/json"

	"kontor.dev/kontor/internal/calls"
	"kontor.dev/kontor/internal/web/wire"
)

type byServerInput struct {
	Server string `query:"server"`
	Limit  int    `query:"limit" minimum:"1" maximum:"500" default:"50"`
	Cursor string `query:"cursor"`
}

type resourcesOutput struct{ Body wire.List[wire.Resource] }

type readInput struct{ Body wire.ReadResource }

type readOutput struct{ Body wire.ResourceContents }

func (s *Server) listResources(_ context.Context, in *byServerInput) (*resourcesOutput, error) {
	var all []wire.Resource
	for _, r := range s.o.Catalogue.Resources(in.Server) {
		w := resource(r.Raw)
		w.Server, w.Kind, w.URI = r.Server, "resource", r.URI
		all = append(all, w)
	}
	for _, t := range s.o.Catalogue.Templates(in.Server) {
		w := resource(t.Raw)
		w.Server, w.Kind, w.URI = t.Server, "template", t.URITemplate
		all = append(all, w)
	}
	page, next, err := pageOf(all, in.Cursor, in.Limit)
	if err != nil {
		return nil, err
	}
	return &resourcesOutput{wire.ListOf(page, next)}, nil
}

// resource reads what a card shows of an entry; a member of another type than the
// protocol's counts as absent.
func resource(raw json.RawMessage) wire.Resource {
	m := members(raw)
	w := wire.Resource{
		Name: m.text("name"), Title: m.text("title"), Description: m.text("description"),
		MIMEType: m.text("mimeType"), Annotations: m["annotations"], Icons: m["icons"],
	}
	var size int64
	if json.Unmarshal(m["size"], &size) == nil {
		w.Size = &size
	}
	return w
}

func (s *Server) readResource(ctx context.Context, in *readInput) (*readOutput, error) {
	conn, err := s.o.Servers.Conn(ctx, in.Body.Server)
	if err != nil {
		return nil, err
	}
	raw, err := conn.ReadResource(ctx, in.Body.URI)
	if err != nil {
		return nil, err
	}
	contents, err := calls.ReadContents(raw, s.o.Media)
	if err != nil {
		return nil, err
	}
	return &readOutput{wire.ResourceContents{Server: in.Body.Server, URI: in.Body.URI, Contents: contents}}, nil
}

// object is the members of a JSON object, as sent.
type object map[string]json.RawMessage

func members(raw json.RawMessage) object {
	var m object
	_ = json.Unmarshal(raw, &m) // anything else has no members
	return m
}

// text is a string member; anything else counts as absent.
func (o object) text(name string) string {
	var s string
	_ = json.Unmarshal(o[name], &s)
	return s
}
