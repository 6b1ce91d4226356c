package web

import (
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// shapeName says a schema in a word or two: "string", "list of Tool", "one of
// stdio, http".
func shapeName(s *huma.Schema) string {
	if s == nil {
		return "nothing"
	}
	name := plainShapeName(s)
	if s.Nullable {
		return name + " or null"
	}
	return name
}

func plainShapeName(s *huma.Schema) string {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case len(s.Enum) > 0:
		return oneOf(s.Enum)
	case len(s.OneOf)+len(s.AnyOf) > 0:
		var names []string
		for _, one := range slices.Concat(s.OneOf, s.AnyOf) {
			names = append(names, shapeName(one))
		}
		return strings.Join(names, " or ")
	case s.Type == huma.TypeArray:
		return "list of " + shapeName(s.Items)
	case s.Format != "" && s.Type == huma.TypeString:
		return s.Format
	case s.Type == "":
		return "any JSON"
	}
	if values, ok := s.AdditionalProperties.(*huma.Schema); ok {
		return "object of " + shapeName(values)
	}
	return s.Type
}

func oneOf(values []any) string {
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprintf("%q", v)
	}
	return strings.Join(words, ", ")
}
