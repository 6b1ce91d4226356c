package templates

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"
)

// theme is the html element's attribute; none lets the system decide.
func theme(name string) templ.Attributes {
	if name == "light" || name == "dark" {
		return templ.Attributes{"data-theme": name}
	}
	return nil
}

// described ties a field's help and error to its control (WCAG 1.3.1, 3.3.1).
func described(f Field) templ.Attributes {
	a := templ.Attributes{}
	var by []string
	if f.Error != "" {
		by = append(by, f.ID+"-error")
		a["aria-invalid"] = "true"
	}
	if f.Help != "" {
		by = append(by, f.ID+"-help")
	}
	if len(by) > 0 {
		a["aria-describedby"] = strings.Join(by, " ")
	}
	if f.Required && f.Kind != FieldBoolean && f.Kind != FieldChoices {
		a["required"] = true
	}
	return a
}

func boxType(f Field) string {
	if f.Kind == FieldBoolean {
		return "radio"
	}
	return "checkbox"
}

// place says where a secret goes: the server, and where that is.
func place(d Item) string {
	if d.Place == "" {
		return d.Server
	}
	return d.Server + ", " + d.Place
}

func serverPath(name string) templ.SafeURL {
	return templ.SafeURL("/servers/" + url.PathEscape(name))
}

func chatPath(id string) templ.SafeURL { return templ.SafeURL("/chats/" + url.PathEscape(id)) }

// signInTab is where the server's page shows the sign-in.
func signInTab(name string) templ.SafeURL {
	return serverPath(name) + "#sign-in"
}

func signInPath(name string) templ.SafeURL {
	return templ.SafeURL("/signin/" + url.PathEscape(name))
}

// signInAgain begins anew in the same tab.
func signInAgain(d SignInResult) templ.SafeURL {
	if d.OwnTab {
		return signInPath(d.Name) + "?tab=own"
	}
	return signInPath(d.Name)
}

// initial stands for a server that has no picture.
func initial(title string) string {
	first, _ := utf8.DecodeRuneInString(title)
	return strings.ToUpper(string(first))
}
