package model

// Event is a piece of news on the bus. Each is a value, safe to share.
type Event interface{ event() }

// ServerChanged: a server was added, changed, or its status moved.
type ServerChanged struct {
	Server Server
	Status Status
}

// ServerRemoved: a server was deleted.
type ServerRemoved struct{ Name string }

// CatalogueChanged: the tools, resources or prompts of a server are others now.
type CatalogueChanged struct{ Server string }

// CallStarted: a call has a row. It is published before it is sent.
type CallStarted struct{ Call Call }

// CallProgressed: progress, or a new open state.
type CallProgressed struct{ Call Call }

// CallEnded: the call is final.
type CallEnded struct{ Call Call }

// ItemAdded: something waits for the person.
type ItemAdded struct{ Item Item }

// ItemResolved: it no longer does.
type ItemResolved struct{ Item Item }

// SettingsChanged: access, appearance or secrets' names changed.
type SettingsChanged struct{}

// LogLine is one line of a server's log, for those who watch it.
type LogLine struct {
	Server string
	Line   LogEntry
}

func (ServerChanged) event()    {}
func (ServerRemoved) event()    {}
func (CatalogueChanged) event() {}
func (CallStarted) event()      {}
func (CallProgressed) event()   {}
func (CallEnded) event()        {}
func (ItemAdded) event()        {}
func (ItemResolved) event()     {}
func (SettingsChanged) event()  {}
func (LogLine) event()          {}
