package servers

import (
	"regexp"

	"kontor.dev/kontor/internal/model"
)

// exitCause is what the last lines of a program that ended say.
type exitCause struct {
	code  model.Code
	words *regexp.Regexp
}

// exitCauses are looked at in this order: the more particular come first. The
// words are those of the programs themselves; where it is known, of which.
var exitCauses = []exitCause{
	// npm, Node's engines check, syntax and APIs that an older Node lacks.
	{codeNeedsNode, regexp.MustCompile(`(?i)EBADENGINE|unsupported engine|requires? node(\.js)? ?(version )?(>=|v?\d)|node(\.js)? (version )?v?\d+(\.\d+)* or (newer|higher|later|above)|Unexpected token '\?[?.]|ReferenceError: (fetch|File|CustomEvent|WebSocket|Headers|ReadableStream) is not defined|ERR_REQUIRE_ESM|does not provide an export named|ERR_UNKNOWN_BUILTIN_MODULE`)},
	// uv, pip, and syntax that an older Python lacks.
	{codeNeedsPython, regexp.MustCompile(`(?i)requires[- ]python|requires a different python|needs python ?(>=|\d)|python (version )?(>=|3\.\d+ or (newer|higher|later))|current python version \([\d.]+\) does not satisfy|interpreter is \d|unsupported operand type\(s\) for \|: 'type'|match .*:\n\s*\^+\nSyntaxError`)},
	{codePackageNotFound, regexp.MustCompile(`(?i)npm (ERR!|error) (code )?E404|404 not found - GET https?://\S+|no matching distribution found|was not found in the package registry|could not find (a version|package)|no versions? of \S+ (is|are) available|manifest for \S+ not found|pull access denied|could not determine executable to run`)},
	{codeNoRegistry, regexp.MustCompile(`(?i)getaddrinfo (ENOTFOUND|EAI_AGAIN)|npm (ERR!|error) (network|code (ETIMEDOUT|ECONNREFUSED|ENOTFOUND|ECONNRESET|EAI_AGAIN))|failed to (fetch|download): ?.?https?://|dns error: failed to lookup|Temporary failure in name resolution`)},
	{codeNeedsPackage, regexp.MustCompile(`(?i)cannot find (module|package)|ERR_MODULE_NOT_FOUND|ModuleNotFoundError|ImportError: |No module named|could not find or load main class|cannot load such file|error while loading shared libraries`)},
	{codePortInUse, regexp.MustCompile(`(?i)EADDRINUSE|address already in use`)},
	{codeMissingSetting, regexp.MustCompile(`(?i)(missing|required|must be set|not set|is not defined|no .{0,30}provided|please (set|provide)).{0,80}(environment variable|env(\.| var)|api[_ -]?key|token|credential|secret|[A-Z][A-Z0-9]+(_[A-Z0-9]+)+)|(environment variable|api[_ -]?key|access token|credentials?|[A-Z][A-Z0-9]+(_[A-Z0-9]+)+).{0,80}(is required|are required|must be (set|provided)|not set|is missing|not provided|not found|is not defined)`)},
	{codeWrongArguments, regexp.MustCompile(`(?im)^\s*usage:|unknown (option|argument|flag|command|subcommand)|unrecognized (option|argument)|unexpected argument|missing required argument|flag provided but not defined|invalid (option|argument)`)},
	{codePermission, regexp.MustCompile(`(?i)EACCES|EPERM|permission denied|operation not permitted`)},
}

// servesHTTP are the words of a server that waits for HTTP instead of stdio.
var servesHTTP = regexp.MustCompile(`(?i)(listening|running|serving|started|available).{0,60}(https?://|port \d|:\d{2,5}\b)|uvicorn running on`)

// causeOf reads the last lines of stderr; "" when they say nothing that is known.
func causeOf(stderr string) model.Code {
	for _, c := range exitCauses {
		if c.words.MatchString(stderr) {
			return c.code
		}
	}
	return ""
}
