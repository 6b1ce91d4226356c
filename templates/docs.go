package templates

// Docs is the readable page of the API.
type Docs struct {
	Page
	Description string
	Operations  []Operation
	Shapes      []Shape
}

// Operation is one way to call the API. Request and Answer name shapes.
type Operation struct {
	Method, Path, Summary string
	Parameters            []Member
	Request, Answer       string
}

// Shape is one JSON shape.
type Shape struct {
	Name, Help string
	Members    []Member
	OneOf      []string
}

// Member is a member of a shape, or a parameter.
type Member struct {
	Name, Type, Help string
	Required         bool
}
