package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// messages is a chat of questions and answers, each "Message i." with more or less
// behind it. Of ten, one asks for a tool and the next is its result. Ids sort as they
// are made.
func messages(count int) []model.ChatMessage {
	out := make([]model.ChatMessage, count)
	for i := range out {
		m := model.ChatMessage{ID: newID(), Role: model.RoleUser}
		text := fmt.Sprintf("Message %d.", i)
		switch {
		case i%10 == 8 && i > 0:
			m.Role = model.RoleTool
			m.Parts = []model.ChatPart{{Kind: model.PartToolResult, UseID: fmt.Sprintf("use-%d", i-1), Name: "search_tools", Text: text + " No tool fits."}}
		case i%2 == 1:
			m.Role, m.Finish = model.RoleAssistant, "stop"
			m.Parts = []model.ChatPart{{Kind: model.PartText, Text: text + " " + answer(i)}}
			if i%10 == 7 && i+1 < count {
				m.Finish = "tools"
				m.Parts = append(m.Parts, model.ChatPart{Kind: model.PartToolUse, UseID: fmt.Sprintf("use-%d", i), Name: "search_tools",
					Arguments: json.RawMessage(`{"query":"sheep"}`)})
			}
		default:
			m.Parts = []model.ChatPart{{Kind: model.PartText, Text: text + " " + strings.Repeat("What about the sheep? ", 1+i%5)}}
		}
		out[i] = m
	}
	return out
}

// answer is Markdown of every height, as models write it.
func answer(i int) string {
	switch i / 2 % 5 {
	case 0:
		return strings.Repeat("They stand on the hill and look at the sea. ", 1+i%23)
	case 1:
		return "In short:\n\n- the *first* of them\n- the **second**\n- `the third`\n"
	case 2:
		return "```go\nfor _, sheep := range flock {\n\tcount++\n}\n```\n"
	case 3:
		return "\n\n| sheep | legs |\n|---|--:|\n| one | 4 |\n| two | 8 |\n"
	}
	return strings.Repeat("## A part of it\n\nSome words about it, and a [link](https://sheep.example).\n\n", 1+i%4)
}
