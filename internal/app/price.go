package app

import (
	"kontor.dev/kontor/internal/llm/toolschema"
	"kontor.dev/kontor/internal/llm/untrusted"
	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/tokens"
)

// toolPrice is what a tool's definition costs in tokens as it goes out to a model: to
// one whose limits aren't known. For others it differs by little.
func toolPrice(name, description string, schema []byte) int {
	server, _, _ := model.SplitToolName(name)
	adapted := toolschema.Adapt(schema, toolschema.Compatible())
	return tokens.Tool(model.ToolAlias(name), untrusted.Describe(server, description), adapted.Schema)
}
