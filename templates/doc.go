// Package templates draws what must work before or without script: the shell,
// signing in, set-up, one inbox item, errors. Each page is a function of plain
// data. It refuses to know where the data comes from.
package templates

import "slices"

// Assets are the built files that a page links, as addresses.
type Assets struct {
	Styles  []string
	Scripts []string
}

// Page is what every page needs.
type Page struct {
	Title  string
	Theme  string // "", "light" or "dark"
	Assets Assets
}

// Login is the sign-in page.
type Login struct {
	Page
	Next        string // where to go afterwards
	PasswordSet bool
	// LinkCommand prints a link that signs in, when typed on Kontor's machine.
	LinkCommand string
	Error       string
}

// Setup is what follows the first sign-in.
type Setup struct {
	Page
	PasswordSet bool
	BaseURL     string
	// Demo offers to add the demo server.
	Demo  bool
	Error string
}

// Message is a page that says one thing: an error, mostly.
type Message struct {
	Page
	Heading, Text string
	// Command, when given, is what to type.
	Command string
	// Link and LinkText, when given, say where to go on.
	Link, LinkText string
}

// SignIn is the page before a sign-in. URL is empty when there is none to offer.
type SignIn struct {
	Page
	// Name is the server's, Server what the person calls it.
	Name, Server, ServerHost string
	Why, Error               string
	URL, Host, RedirectURI   string
	// Address is URL without its query: what the person is to look at.
	Address *Link
	Scopes  []Scope
	// OwnTab says that the tab is there for the sign-in alone.
	OwnTab bool
	// Left is how long the browser has.
	Left string
	// Issuers are the authorization servers to choose from.
	Issuers []Issuer
}

// Issuer is one of several authorization servers.
type Issuer struct{ Name, Href string }

// Scope is a right that is asked for or granted.
type Scope struct {
	// Name is the authorization server's, Words what it allows, where that is known.
	Name, Words string
	// Granted says, of one that is asked for, that it has been granted before.
	Granted bool
}

// SignInResult is the page after a sign-in.
type SignInResult struct {
	Page
	Name, Server   string
	Error          string
	Account, Until string
	Renewable      bool
	Scopes         []Scope
	// OwnTab has the tab close itself after a sign-in that worked.
	OwnTab bool
}

// Inbox is all that waits.
type Inbox struct {
	Page
	Entries []Entry
}

// Entry is a line of the inbox.
type Entry struct{ ID, Title, Server, Age string }

// Item is one thing of the inbox.
type Item struct {
	Page
	ID, Server, Tool string
	Asks             string // "asks, for the Tools page"
	Chat             string // the id of the chat that it belongs to; may be empty
	Place            string // where the server is, in words; may be empty
	Message          string
	Age, Left        string // "2 min ago", "4 min left"; Left may be empty
	// Ended says how it ended, when it did; nothing can be answered then.
	Ended string
	// URL is set for a question that is answered on another page.
	URL *Link
	// Fields is the form; with neither fields nor URL it is a yes or no.
	Fields []Field
	// Unanswerable says why the question can't be accepted, when it can't.
	Unanswerable string
	// Secret says that one of the fields is masked.
	Secret bool
	// Accept is the word on the button that accepts.
	Accept string
	// Approval and Question are set for items of their kind; News is one that is only
	// read.
	Approval *Approval
	Question *Question
	News     bool
	// SignIn is the server to sign in to, where that is what is asked for.
	SignIn string
	// Scopes are the rights that it is for. Refused: the token in the settings is, and
	// there is nothing to sign in to.
	Scopes  []Scope
	Refused bool
	Error   string
}

// Link is an address cut into parts, so that the host stands out.
type Link struct {
	Href, Before, Host, After string
	// Warnings say what is odd about it.
	Warnings []Warning
	// Blocked addresses are shown and can't be opened.
	Blocked bool
}

// Risky tells whether the address is probably a trick.
func (l Link) Risky() bool {
	return slices.ContainsFunc(l.Warnings, func(w Warning) bool { return w.Bad })
}

// Warning is one thing that is odd about an address.
type Warning struct {
	// Bad: probably a trick. Otherwise the person should know.
	Bad         bool
	Title, Text string
}

// FieldKind is how a field is filled in.
type FieldKind string

// The kinds of fields.
const (
	FieldText    FieldKind = "text"
	FieldLong    FieldKind = "long"
	FieldSecret  FieldKind = "secret"
	FieldBoolean FieldKind = "boolean"
	FieldChoice  FieldKind = "choice"
	FieldChoices FieldKind = "choices"
	// FieldJSON takes what no other kind can say.
	FieldJSON FieldKind = "json"
)

// Field is one field of a form.
type Field struct {
	Name, ID, Title, Help, Error string
	Kind                         FieldKind
	// InputType and InputMode are those of HTML's input, for FieldText.
	InputType, InputMode string
	// Zone is the time zone that a time is typed in; empty for all else.
	Zone     string
	Required bool
	Value    string
	Options  []Option
}

// Option is one choice. Value is its place in the schema's list.
type Option struct {
	Value, Title string
	Chosen       bool
}
