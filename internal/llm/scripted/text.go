package scripted

import (
	"bufio"
	"strings"
	"time"

	"kontor.dev/kontor/internal/llm"
	"kontor.dev/kontor/internal/model"
)

// Parse reads a script as text, the form that the demo's is written in:
//
//	# a comment
//	turn weather            a turn for what has "weather" in it
//	think The person wants…
//	say Let me look.
//	say And then the rest.  a say after a say begins a new line
//	call mcp__demo__add {"a": 1, "b": 2}
//	pause 300ms
//	fail overloaded The provider is overloaded.
//	stop length
//	turn                    a turn for anything
//	say Done.
//
// slow DURATION sets the pause after each word of what follows; loop, before the
// first turn, has each conversation play the script for itself, as often as it fits;
// end TEXT is the answer when no turn is left. An error has model.CodeInvalid and the number of its line.
func Parse(text string) (Script, error) {
	var p parser
	lines := bufio.NewScanner(strings.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if wrong := p.line(word, strings.TrimSpace(rest)); wrong != "" {
			return Script{}, model.Errorf(model.CodeInvalid, "line %d of the script: %s", n, wrong)
		}
	}
	if err := lines.Err(); err != nil {
		return Script{}, model.Errorf(model.CodeInvalid, "reading the script: %w", err)
	}
	return p.script, nil
}

type parser struct {
	script Script
	slow   time.Duration
}

// line takes one line and says what is wrong with it.
func (p *parser) line(word, rest string) string {
	switch word {
	case "turn":
		p.script.Turns = append(p.script.Turns, Turn{When: rest})
		return ""
	case "loop":
		p.script.Loop = true
		return ""
	case "end":
		p.script.End = rest
		return ""
	case "slow":
		d, err := time.ParseDuration(rest)
		if p.slow = d; err != nil {
			return "slow wants a duration, like 20ms"
		}
		return ""
	}
	if len(p.script.Turns) == 0 {
		return word + " comes before the first turn"
	}
	turn := &p.script.Turns[len(p.script.Turns)-1]
	step, wrong := p.step(word, rest, turn)
	if wrong == "" {
		turn.Steps = append(turn.Steps, step)
	}
	return wrong
}

func (p *parser) step(word, rest string, turn *Turn) (Step, string) {
	switch word {
	case "say":
		if n := len(turn.Steps); n > 0 {
			if _, again := turn.Steps[n-1].(Say); again {
				rest = "\n" + rest
			}
		}
		return Say{Text: rest, Pause: p.slow}, ""
	case "think":
		return Think{Text: rest}, ""
	case "call":
		name, arguments, _ := strings.Cut(rest, " ")
		if name == "" {
			return nil, "call wants a tool"
		}
		return Call{Name: name, Arguments: strings.TrimSpace(arguments)}, ""
	case "pause":
		d, err := time.ParseDuration(rest)
		if err != nil {
			return nil, "pause wants a duration, like 300ms"
		}
		return Pause{For: d}, ""
	case "fail":
		code, message, _ := strings.Cut(rest, " ")
		if code == "" || message == "" {
			return nil, "fail wants a code and a message"
		}
		return Fail{Err: &model.Error{Code: model.Code(code), Message: message}}, ""
	case "stop":
		switch r := llm.Reason(rest); r {
		case llm.ReasonStop, llm.ReasonTools, llm.ReasonLength, llm.ReasonFiltered, llm.ReasonPaused:
			return Stop{Reason: r}, ""
		}
		return nil, "stop wants stop, tools, length, filtered or paused"
	}
	return nil, "there is no " + word
}
