package wire

// List is one page of things, newest first where there is time.
type List[T any] struct {
	Items []T `json:"items"`
	// Next is the cursor of the next page, null on the last.
	Next *string `json:"next" doc:"Cursor of the next page; null on the last"`
}

// ListOf makes a page; an empty cursor means that it is the last.
func ListOf[T any](items []T, next string) List[T] {
	if items == nil {
		items = []T{}
	}
	l := List[T]{Items: items}
	if next != "" {
		l.Next = &next
	}
	return l
}
