package paste

import (
	"errors"
	"regexp"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// MaxBytes is the longest text that is read.
const MaxBytes = 1 << 20

// maxLine bounds a command line: the system takes no longer one either.
const maxLine = 64 << 10

// Format says what a text was recognised as. It is stable.
type Format string

// The formats. One that several hosts share has the name of the best known.
const (
	Address       Format = "address"
	CommandLine   Format = "command_line"
	Link          Format = "link" // an "install" link of an editor
	ClaudeDesktop Format = "claude_desktop"
	ClaudeCode    Format = "claude_code"
	Gemini        Format = "gemini"
	VSCode        Format = "vscode"
	Zed           Format = "zed"
	Codex         Format = "codex"
	Continue      Format = "continue"
	OpenCode      Format = "opencode"
	Goose         Format = "goose"
	Amp           Format = "amp"
	Albedo        Format = "albedo"
	PiLoops       Format = "pi_loops"
	Kontor        Format = "kontor"
)

// Result is what a text was read as.
type Result struct {
	Format Format
	// Servers are the configurations, in the order of their names where the text
	// has no order of its own. A name is empty where the text gives none.
	// `${VAR}` references are Kontor's; all else is as it was written.
	Servers  []model.Server
	Warnings []Warning
	Skipped  []Skipped
}

// Warning is something that the person should look at before saving.
type Warning struct {
	Code    string
	Message string
	// Server is the name of the one that it is about, if it is about one.
	Server string
}

// Skipped is an entry that is no server of ours, and why.
type Skipped struct{ Name, Reason string }

// Codes of warnings.
const (
	WarnLeftOut     = "left_out"         // a setting that Kontor has no place for
	WarnRenamed     = "renamed"          // the name can't be one of ours
	WarnReference   = "reference"        // another program's variable became ours, or can't
	WarnPlaceholder = "placeholder"      // a value that is to be filled in
	WarnArgument    = "secret_in_args"   // other programs see arguments
	WarnURL         = "secret_in_url"    // proxies and servers log addresses
	WarnAssumed     = "assumed"          // something was filled in
	WarnBridge      = "bridge"           // a program that only passes messages on to an address
	WarnUnset       = "value_not_copied" // a secret that the text only mentions
)

// Text reads anything. Errors are *model.Error.
func Text(text string) (Result, error) {
	text, err := tidy(text)
	if err != nil {
		return Result{}, err
	}
	if r, ok, err := readLink(text); ok {
		return r, err
	}
	if r, ok, err := readAddress(text); ok {
		return r, err
	}
	if r, ok, err := readDocument(text); ok {
		return r, err
	}
	return readCommand(text)
}

// Document reads a configuration file's text: JSON or TOML, and nothing else.
func Document(text string) (Result, error) {
	text, err := tidy(text)
	if err != nil {
		return Result{}, err
	}
	r, ok, err := readDocument(text)
	if !ok {
		err = model.Errorf(model.CodeInvalid, "this is neither JSON nor TOML")
	}
	return r, err
}

var (
	fence  = regexp.MustCompile("(?s)^[^`]*```[a-zA-Z0-9]*[ \t]*\n(.*?)\n?```")
	prompt = regexp.MustCompile(`^[$>%] +`)
)

// tidy takes away what comes along when text is copied: a byte order mark, line
// ends of Windows, a Markdown fence, a shell's prompt.
func tidy(text string) (string, error) {
	if len(text) > MaxBytes {
		return "", model.Errorf(model.CodeTooLarge, "this is longer than 1 MiB: paste the part about MCP servers only")
	}
	text = strings.TrimPrefix(strings.ToValidUTF8(text, "\uFFFD"), "\uFEFF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\u00A0", " ") // from web pages
	if m := fence.FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	text = prompt.ReplaceAllString(strings.TrimSpace(text), "")
	if text == "" {
		return "", model.Errorf(model.CodeInvalid, "there is nothing to read")
	}
	return text, nil
}

// errNone is a text that is well formed and tells of no server.
var errNone = errors.New("there is no MCP server in it")

// finish gives a result its verdict: without a server it is an error that says
// why the entries were of no use.
func finish(r Result) (Result, error) {
	switch {
	case len(r.Servers) > 0:
		return r, nil
	case len(r.Skipped) == 1:
		return r, model.Errorf(model.CodeInvalid, "%s: %s", r.Skipped[0].Name, r.Skipped[0].Reason)
	case len(r.Skipped) > 1:
		return r, model.Errorf(model.CodeInvalid, "none of the %d entries can be used; %s: %s", len(r.Skipped), r.Skipped[0].Name, r.Skipped[0].Reason)
	}
	return r, model.Errorf(model.CodeInvalid, "%w", errNone)
}
