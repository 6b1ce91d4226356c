package paste

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"kontor.dev/kontor/internal/model"
)

// readCommand reads a command line as a shell would, without running anything:
// quotes, assignments in front, a `cd` before it. What only a shell can do is
// refused by its name.
func readCommand(text string) (Result, error) {
	if len(text) > maxLine {
		return Result{}, model.Errorf(model.CodeTooLarge, "this is too long for a command line, and no JSON or TOML")
	}
	line, err := parseLine(text)
	if err != nil {
		return Result{}, model.Errorf(model.CodeInvalid, "this is no address, JSON or TOML, and as a command line it can't be used: %w", err)
	}
	if r, ok, err := readHostCommand(line); ok {
		return r, err
	}
	r := Result{Format: CommandLine}
	r.take(line.server())
	return finish(r)
}

// line is a command line taken apart.
type line struct {
	env   map[string]string
	cwd   string
	words []string
}

func (l line) server() model.Server {
	s := model.Server{Transport: model.TransportStdio, Command: l.words[0], Args: l.words[1:], Cwd: l.cwd, Enabled: true, ShareImages: true}
	for name, value := range l.env {
		setValue(&s.Env, name, model.Value{Text: value})
	}
	return s
}

// hasWindowsPath tells what makes a backslash part of a name instead of an escape.
func hasWindowsPath(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		letter := text[i] | 0x20
		if letter >= 'a' && letter <= 'z' && text[i+1] == ':' && text[i+2] == '\\' && (i == 0 || strings.ContainsRune(" \"'=", rune(text[i-1]))) {
			return true
		}
	}
	return false
}

func parseLine(text string) (line, error) {
	// References of other hosts first: to a shell they are something else.
	text = reference(text)
	p := words{windows: hasWindowsPath(text)}
	if p.windows {
		text = strings.ReplaceAll(text, `\`, `\\`)
		text = strings.ReplaceAll(text, "\\\\\n", "\\\n")
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return line{}, fmt.Errorf("a quote isn't closed, or a character that means something to a shell, such as ( or &, stands outside of quotes")
	}
	l := line{env: map[string]string{}}
	for _, stmt := range file.Stmts {
		if err := p.statement(&l, stmt); err != nil {
			return line{}, err
		}
	}
	if len(l.words) == 0 {
		return line{}, fmt.Errorf("it names no program")
	}
	return l, nil
}

// words reads the syntax tree of a command line.
type words struct{ windows bool }

func needsShell(what string) error {
	return fmt.Errorf("%s needs a shell, and Kontor runs none: put it into a script, or use bash -c", what)
}

// statement takes `cd DIR`, `export A=b` and assignments alone as settings of the
// one command that follows.
func (p words) statement(l *line, stmt *syntax.Stmt) error {
	switch {
	case stmt.Background:
		return needsShell("&")
	case len(stmt.Redirs) > 0:
		return needsShell("a redirection")
	case len(l.words) > 0:
		return needsShell("more than one command")
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.BinaryCmd:
		if cmd.Op != syntax.AndStmt {
			return needsShell(cmd.Op.String())
		}
		if err := p.statement(l, cmd.X); err != nil {
			return err
		}
		return p.statement(l, cmd.Y)
	case *syntax.DeclClause:
		if cmd.Variant.Value != "export" {
			return needsShell(cmd.Variant.Value)
		}
		return p.assign(l, cmd.Args)
	case *syntax.CallExpr:
		return p.call(l, cmd)
	}
	return needsShell("this")
}

func (p words) assign(l *line, assigns []*syntax.Assign) error {
	for _, a := range assigns {
		if a.Naked || a.Append || a.Index != nil || a.Array != nil {
			return needsShell("this assignment")
		}
		value := ""
		if a.Value != nil {
			var err error
			if value, err = p.word(a.Value.Parts); err != nil {
				return err
			}
		}
		l.env[a.Name.Value] = value
	}
	return nil
}

func (p words) call(l *line, cmd *syntax.CallExpr) error {
	if err := p.assign(l, cmd.Assigns); err != nil {
		return err
	}
	var all []string
	for _, w := range cmd.Args {
		text, err := p.word(w.Parts)
		if err != nil {
			return err
		}
		all = append(all, text)
	}
	if len(all) == 2 && all[0] == "cd" {
		l.cwd = all[1]
		return nil
	}
	l.words = all
	return nil
}

// word joins the parts of a word. A variable becomes a reference of ours.
func (p words) word(parts []syntax.WordPart) (string, error) {
	var b strings.Builder
	for i, part := range parts {
		switch part := part.(type) {
		case *syntax.Lit:
			text := unescape(part.Value)
			if i == 0 && (text == "~" || strings.HasPrefix(text, "~/")) {
				text = "${HOME}" + text[1:]
			}
			b.WriteString(text)
		case *syntax.SglQuoted:
			b.WriteString(p.single(part))
		case *syntax.DblQuoted:
			for _, inner := range part.Parts {
				text, err := p.quoted(inner)
				if err != nil {
					return "", err
				}
				b.WriteString(text)
			}
		case *syntax.ParamExp:
			text, err := p.param(part)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		default:
			return "", needsShell("$(…)")
		}
	}
	return b.String(), nil
}

func (p words) single(q *syntax.SglQuoted) string {
	if p.windows {
		return strings.ReplaceAll(q.Value, `\\`, `\`)
	}
	return q.Value
}

func (p words) quoted(part syntax.WordPart) (string, error) {
	if lit, ok := part.(*syntax.Lit); ok {
		return unescapeQuoted(lit.Value), nil
	}
	if param, ok := part.(*syntax.ParamExp); ok {
		return p.param(param)
	}
	return "", needsShell("$(…)")
}

// param is `$NAME`, `${NAME}` or `${NAME:-text}`; other forms need a shell.
func (p words) param(e *syntax.ParamExp) (string, error) {
	plain := !e.Excl && !e.Length && !e.Width && e.Index == nil && e.Slice == nil && e.Repl == nil && e.Names == 0 && e.Param != nil
	switch {
	case plain && e.Short && !syntax.ValidName(e.Param.Value):
		return "$" + e.Param.Value, nil
	case !plain || !syntax.ValidName(e.Param.Value):
		return "", needsShell("${…} in this form")
	case e.Exp == nil:
		return "${" + e.Param.Value + "}", nil
	}
	if e.Exp.Op != syntax.DefaultUnsetOrNull {
		return "", needsShell("${…} in this form")
	}
	text := ""
	if e.Exp.Word != nil {
		var err error
		if text, err = p.word(e.Exp.Word.Parts); err != nil {
			return "", err
		}
	}
	return "${" + e.Param.Value + ":-" + text + "}", nil
}

// unescape takes the backslashes out of an unquoted literal (POSIX, XCU 2.2.1).
func unescape(text string) string {
	return escapes(text, func(byte) bool { return true })
}

// unescapeQuoted does it for one in double quotes (XCU 2.2.3).
func unescapeQuoted(text string) string {
	return escapes(text, func(c byte) bool { return strings.IndexByte("$`\"\\\n", c) >= 0 })
}

func escapes(text string, escapable func(byte) bool) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && escapable(text[i+1]) {
			i++
			if text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
