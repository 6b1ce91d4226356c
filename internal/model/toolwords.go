package model

// ToolWords are what a tool is found by.
type ToolWords struct {
	Server, Tool string
	// Names are the words in its name and its server's.
	Names, Title, Description string
}
