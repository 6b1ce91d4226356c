package secret

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// Lookup finds the value of a name, and whether there is one.
type Lookup func(name string) (value string, ok bool)

// Expander replaces references by values. `${NAME}` and `${NAME:-default}` are
// references; as in a shell, the default stands in for an empty value too. It
// is taken as it is, up to the first `}`. Everything else stays as it is: `$$`,
// `$5`, `$NAME`, `%NAME%`, and `${` without a name or an end. What a value holds
// is not looked at again.
type Expander struct{ Lookup Lookup }

// reference matches `${NAME}` and `${NAME:-default}`: name, default with its
// mark, default.
var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)(:-([^}]*))?\}`)

// MissingError says that a name has no value, or may have none. Its code is
// model.CodeMissingVariable.
type MissingError struct {
	Name string
	// Reserved: the name is one of Kontor's own.
	Reserved bool
}

// Error says what to do about it.
func (e *MissingError) Error() string {
	if e.Reserved {
		return fmt.Sprintf("${%s} is not given to servers: names that begin with KONTOR_ are Kontor's own.", e.Name)
	}
	return fmt.Sprintf("${%s} has no value: add a secret of that name in Settings, or set it in the environment that Kontor is started with.", e.Name)
}

// Unwrap gives the same as a model.Error, for those who look for a code.
func (e *MissingError) Unwrap() error {
	return &model.Error{Code: model.CodeMissingVariable, Message: e.Error()}
}

// Expand returns text with its references replaced, and the looked-up values
// that are in it now, for a Redactor. The first name without a value is a
// *MissingError.
func (e Expander) Expand(text string) (expanded string, used []string, err error) {
	expanded, err = replace(text, func(name, fallback string, hasDefault bool) (string, error) {
		if Reserved(name) {
			return "", &MissingError{Name: name, Reserved: true}
		}
		value, ok := e.Lookup(name)
		switch {
		case hasDefault && value == "":
			return fallback, nil
		case !ok:
			return "", &MissingError{Name: name}
		}
		used = append(used, value)
		return value, nil
	})
	if err != nil {
		return "", nil, err
	}
	return expanded, used, nil
}

// Mask returns what Expand would, with each looked-up value shown as `${NAME}`:
// what a person may see of a text that is in use. It never fails: a name without
// a value is shown likewise.
func (e Expander) Mask(text string) string {
	masked, _ := replace(text, func(name, fallback string, hasDefault bool) (string, error) {
		if hasDefault && !Reserved(name) {
			if value, _ := e.Lookup(name); value == "" {
				return fallback, nil
			}
		}
		return "${" + name + "}", nil
	})
	return masked
}

// References lists the names that text refers to, each once, in order.
func References(text string) []string {
	var names []string
	for _, match := range reference.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, match[1]) {
			names = append(names, match[1])
		}
	}
	return names
}

func replace(text string, with func(name, fallback string, hasDefault bool) (string, error)) (string, error) {
	if !strings.Contains(text, "${") {
		return text, nil
	}
	var out strings.Builder
	end := 0
	for _, m := range reference.FindAllStringSubmatchIndex(text, -1) {
		fallback, hasDefault := "", m[4] >= 0
		if hasDefault {
			fallback = text[m[6]:m[7]]
		}
		value, err := with(text[m[2]:m[3]], fallback, hasDefault)
		if err != nil {
			return "", err
		}
		out.WriteString(text[end:m[0]])
		out.WriteString(value)
		end = m[1]
	}
	out.WriteString(text[end:])
	return out.String(), nil
}

// Reserved tells whether a name is one of Kontor's own, which never expand. Case
// doesn't count: on Windows it doesn't in the environment either.
func Reserved(name string) bool {
	return strings.HasPrefix(strings.ToUpper(name), "KONTOR_")
}

var validName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,127}$`)

// ValidName says in words why a secret can't have that name, or nil.
func ValidName(name string) error {
	if !validName.MatchString(name) {
		return model.Errorf(model.CodeInvalid, "name %q: use letters, digits and underscores, no digit first, at most 128", name)
	}
	if Reserved(name) {
		return model.Errorf(model.CodeInvalid, "name %q: names that begin with KONTOR_ are Kontor's own", name)
	}
	return nil
}
