package secret_test

import (
	"errors"
	"slices"
	"testing"

	"kontor.dev/kontor/internal/model"
	"kontor.dev/kontor/internal/secret"
)

func lookup(values map[string]string) secret.Lookup {
	return func(name string) (string, bool) {
		value, ok := values[name]
		return value, ok
	}
}

var known = lookup(map[string]string{"TOKEN": "s3cret", "EMPTY": "", "NESTED": "a${TOKEN}b$$", "_x9": "low",
	"KONTOR_KEY": "never", "kontor_key": "never", "KONTOR_DATA": "never"})

func TestExpand(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, want, masked string
		used                     []string
	}{
		{"nothing", "", "", "", nil},
		{"plain text", "hello {TOKEN} world", "hello {TOKEN} world", "hello {TOKEN} world", nil},
		{"a name", "${TOKEN}", "s3cret", "${TOKEN}", []string{"s3cret"}},
		{"within text", "a${TOKEN}b", "as3cretb", "a${TOKEN}b", []string{"s3cret"}},
		{"twice", "${TOKEN}${TOKEN}", "s3crets3cret", "${TOKEN}${TOKEN}", []string{"s3cret", "s3cret"}},
		{"any case and digits", "${_x9}", "low", "${_x9}", []string{"low"}},
		{"an empty value", "[${EMPTY}]", "[]", "[${EMPTY}]", []string{""}},
		{"default of a set name", "${TOKEN:-other}", "s3cret", "${TOKEN}", []string{"s3cret"}},
		{"default of an unset name", "${HOST:-localhost}/x", "localhost/x", "localhost/x", nil},
		{"default of an empty value", "${EMPTY:-d}", "d", "d", nil},
		{"empty default", "[${HOST:-}]", "[]", "[]", nil},
		{"default with signs", "${HOST:-http://h:1/?a=$5&b=%20}", "http://h:1/?a=$5&b=%20", "http://h:1/?a=$5&b=%20", nil},
		{"default is no reference", "${HOST:-${TOKEN}}", "${TOKEN}", "${TOKEN}", nil},
		{"a value is no reference", "${NESTED}", "a${TOKEN}b$$", "${NESTED}", []string{"a${TOKEN}b$$"}},
		{"dollars and digits", "--k=$$5 $1 $$ $", "--k=$$5 $1 $$ $", "--k=$$5 $1 $$ $", nil},
		{"no escape", "$${TOKEN}", "$s3cret", "$${TOKEN}", []string{"s3cret"}},
		{"a shell's short form", "$TOKEN", "$TOKEN", "$TOKEN", nil},
		{"percent", "%TOKEN% 100%", "%TOKEN% 100%", "%TOKEN% 100%", nil},
		{"no name", "${} ${:-x} ${1A} ${A B} ${A-x} ${ÄÖ}", "${} ${:-x} ${1A} ${A B} ${A-x} ${ÄÖ}", "${} ${:-x} ${1A} ${A B} ${A-x} ${ÄÖ}", nil},
		{"no end", "${TOKEN", "${TOKEN", "${TOKEN", nil},
		{"no end, then a reference", "${A${TOKEN}", "${As3cret", "${A${TOKEN}", []string{"s3cret"}},
		{"line breaks", "a\n${TOKEN}\n", "a\ns3cret\n", "a\n${TOKEN}\n", []string{"s3cret"}},
		{"only begins like ours", "${HOST_KONTOR_:-ok}", "ok", "ok", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := secret.Expander{Lookup: known}
			got, used, err := e.Expand(test.text)
			if got != test.want || err != nil || !slices.Equal(used, test.used) {
				t.Errorf("Expand(%q) = %q, %q, %v, want %q, %q", test.text, got, used, err, test.want, test.used)
			}
			if got := e.Mask(test.text); got != test.masked {
				t.Errorf("Mask(%q) = %q, want %q", test.text, got, test.masked)
			}
		})
	}
}

func TestExpandNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text     string
		name     string
		reserved bool
	}{
		{"${NOPE}", "NOPE", false},
		{"${TOKEN}${NOPE}${LATER}", "NOPE", false},
		{"${HOST:-x}${token}", "token", false},
		{"${KONTOR_KEY}", "KONTOR_KEY", true},
		{"${kontor_key}", "kontor_key", true},
		{"${KONTOR_DATA:-/tmp}", "KONTOR_DATA", true},
		{"${KONTOR_NOTHING:-x}", "KONTOR_NOTHING", true},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			t.Parallel()
			e := secret.Expander{Lookup: known}
			got, used, err := e.Expand(test.text)
			var missing *secret.MissingError
			if !errors.As(err, &missing) || *missing != (secret.MissingError{Name: test.name, Reserved: test.reserved}) {
				t.Fatalf("Expand: %v, want it to miss %q (reserved: %t)", err, test.name, test.reserved)
			}
			if got != "" || used != nil {
				t.Errorf("Expand gave %q, %q beside its error", got, used)
			}
			if model.CodeOf(err) != model.CodeMissingVariable {
				t.Errorf("code %q, want %q", model.CodeOf(err), model.CodeMissingVariable)
			}
			if masked := e.Mask("${" + test.name + "}"); masked != "${"+test.name+"}" {
				t.Errorf("Mask gave %q", masked)
			}
		})
	}
}

func TestReferencesAreListedOnce(t *testing.T) {
	t.Parallel()
	got := secret.References("${B}${A:-x}${B}$C${D")
	if want := []string{"B", "A"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestValidName(t *testing.T) {
	t.Parallel()
	for name, valid := range map[string]bool{"A": true, "a_1": true, "": false, "1a": false, "a-b": false, "a b": false,
		"KONTOR_KEY": false, "kontor_x": false, "KONTOR": true, "é": false} {
		if err := secret.ValidName(name); (err == nil) != valid {
			t.Errorf("ValidName(%q) = %v, want valid: %t", name, err, valid)
		}
	}
}

func FuzzExpand(f *testing.F) {
	for _, seed := range []string{"${TOKEN}", "$${TOKEN", "${A:-${B}}", "${KONTOR_KEY}", "%"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e := secret.Expander{Lookup: known}
		if len(secret.References(text)) == 0 {
			if got, _, err := e.Expand(text); got != text || err != nil {
				t.Errorf("a text without references %q became %q, %v", text, got, err)
			}
		}
		e.Mask(text)
	})
}
