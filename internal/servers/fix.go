package servers

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"kontor.dev/kontor/internal/mcp/stdio"
	"kontor.dev/kontor/internal/mcp/wire"
	"kontor.dev/kontor/internal/model"
)

// facts are what a remedy depends on.
type facts struct {
	// command is the program's name, path the PATH that was searched for it, found
	// where else it is.
	command, path, found string
	exitCode             int
	// location is where the server sent the client to.
	location string
}

func factsOf(err error) facts {
	var f facts
	var missing *stdio.NotFoundError
	var exit *stdio.ExitError
	var status *wire.HTTPError
	switch {
	case errors.As(err, &missing):
		f.command, f.path = missing.Command, missing.Path
	case errors.As(err, &exit):
		f.command, f.exitCode = exit.Command, exit.ExitCode
	case errors.As(err, &status):
		f.location = status.Header.Get("Location")
	}
	return f
}

// fixes are the likely remedies.
var fixes = map[model.Code]string{
	model.CodeInvalid:           "Correct the settings.",
	model.CodeMissingVariable:   "Store it under Settings → Secrets, or write ${NAME:-text} for a fallback.",
	codeUnreadable:              "Type it anew, or start Kontor with the key that it was sealed with.",
	codeNotExecutable:           "Make the file executable (chmod +x), or name the program that runs it.",
	codeFolderNotFound:          "Make the folder, or correct it.",
	codeNoInterpreter:           "Install the program that its first line names, or give that program as the command and the file as its argument.",
	codeWrongPlatform:           "Get the file for this kind of machine. A script needs a first line that names its interpreter (#!/usr/bin/env …).",
	codeNeedsNode:               "It needs a newer Node. Install one, and give its folder as PATH in the environment when Kontor finds another.",
	codeNeedsPython:             "It needs a newer Python. With uvx, put --python and the version (3.13) first in the arguments: uv fetches one for this server only.",
	codePackageNotFound:         "Check how the package is spelt, and its version.",
	codeNoRegistry:              "The package can't be fetched: check that this machine is online, or install the package beforehand.",
	codeNeedsPackage:            "Install what is missing where the program looks for it, or start it through npx or uvx, which fetch it.",
	codePortInUse:               "Another program has its port, perhaps an earlier one of the same server: end that, or give it another port.",
	codeMissingSetting:          "Add what it asks for to its environment.",
	codeWrongArguments:          "Correct the arguments: its last lines say what it takes.",
	codePermission:              "Give it the right to what it names, or point it somewhere else.",
	codeExited:                  "Its last lines say why. Try the same command in a terminal.",
	codeStdoutNoise:             "Only MCP may go to standard output: turn its banner or its log off, or send them to standard error. Many servers need an argument such as stdio.",
	codeServesHTTP:              "Add its address instead of its command, or give it the argument that makes it use stdio.",
	codeConnectionRefused:       "Start the server, or correct host and port.",
	codeHostNotFound:            "Check how the host is spelt.",
	codeDNS:                     "Check that this machine is online and its name service works.",
	codeAddressRefused:          "Use an address at which an MCP server can be.",
	codeTLS:                     "Check the server's TLS settings.",
	codeTLSUntrusted:            "For a private authority, start Kontor with SSL_CERT_FILE set to the file of its certificates.",
	codeTLSExpired:              "Renew the server's certificate, or set the clock of this machine.",
	codeTLSHost:                 "Use the name that the certificate is for.",
	codeNoTLS:                   "Use http:// instead of https://, or the port that speaks TLS.",
	codeTLSExpected:             "Use https:// instead of http://.",
	codeUnreachable:             "Check the way from this machine to the server: network, VPN, firewall, proxy.",
	codeConnectionLost:          "The server's own log may say why. Try again.",
	codeHTML:                    "Give the address of its MCP endpoint, not of its website: it often ends with /mcp.",
	codeWrongPath:               "Check the path: MCP servers are often at /mcp, older ones at /sse.",
	codeForbidden:               "Check the token and its rights. Some servers refuse hosts that they don't know: use the name that they print.",
	codeRateLimited:             "Wait, then try again.",
	codeServerDown:              "Try again later: what is in front of the server doesn't reach it.",
	codeHTTPStatus:              "The server's own log may say more.",
	codeOnlySSE:                 "Nothing to do: Kontor speaks it. A newer version of the server may speak Streamable HTTP.",
	codeNoCommonVersion:         "Update the server, or Kontor.",
	codeStreamFailed:            "Its tools work; changes that it announces unasked don't arrive. The server's own log may say more.",
	model.CodeNeedsSignIn:       "Save it and sign in, or give it a token.",
	model.CodeInsufficientScope: "Sign in with more rights, or use a token that has them.",
	model.CodeTimeout:           "Try again, or give it more time to start in its settings.",
	model.CodeProtocol:          "Check that it is an MCP server. Its log may say more.",
	model.CodeServerError:       "Its log may say more.",
	model.CodeTooLarge:          "Give it a larger limit for messages in its settings.",
	model.CodeServerUnavailable: "Its log may say more.",
}

// programs are where well-known commands come from.
var programs = map[string]string{
	"npx": "Install Node", "npm": "Install Node", "node": "Install Node", "uvx": "Install uv", "uv": "Install uv",
	"python": "Install Python, or try python3", "python3": "Install Python", "pipx": "Install pipx",
	"docker": "Install Docker", "podman": "Install Podman", "bun": "Install Bun", "bunx": "Install Bun", "deno": "Install Deno", "go": "Install Go",
}

// fixOf is the likely remedy for an error; "" when its own words say it.
func fixOf(code model.Code, f facts) string {
	switch {
	case code == codeCommandNotFound && f.found != "":
		folder := filepath.Dir(f.found)
		return fmt.Sprintf("It is at %s. Add PATH to the environment: %s", f.found, strings.TrimSuffix(folder+string(filepath.ListSeparator)+f.path, string(filepath.ListSeparator)))
	case code == codeCommandNotFound && strings.ContainsRune(f.command, filepath.Separator):
		return "Correct the path, or install the program there."
	case code == codeCommandNotFound && programs[f.command] != "":
		return programs[f.command] + ", or give the whole path: Kontor may have another PATH than your shell."
	case code == codeCommandNotFound:
		return "Install the program, or give its whole path: Kontor may have another PATH than your shell."
	case code == codeExited && f.exitCode == 0:
		return "It ended by itself at once. It may need an argument that makes it serve, such as stdio or serve."
	case code == codeRedirected && f.location != "":
		return "Give the final address, or that of its MCP endpoint."
	case code == codeRedirected:
		return "Give the final address."
	}
	return fixes[code]
}
