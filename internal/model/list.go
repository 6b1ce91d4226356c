package model

// ListKind names one of the four lists that a server may offer.
type ListKind string

// The lists.
const (
	ListTools     ListKind = "tools"
	ListResources ListKind = "resources"
	ListTemplates ListKind = "resource_templates"
	ListPrompts   ListKind = "prompts"
)

// ListKinds are all lists, tools first.
func ListKinds() []ListKind {
	return []ListKind{ListTools, ListResources, ListTemplates, ListPrompts}
}
