package agent

import (
	"fmt"
	"strings"

	"kontor.dev/kontor/internal/model"
)

// What is left out of old results, in bytes.
const (
	// largeResult is what a result may have and stay whole.
	largeResult = 4 << 10
	// elidedHead is what stays of a larger one.
	elidedHead = 512
	// pictureSize is what a picture counts as: what it costs, at four bytes a token.
	pictureSize = 4 * imageTokens
	// worthEliding is how much has to be gained: each time, a provider reads the
	// conversation anew.
	worthEliding = 48 << 10
	// wholeTurns is how many turns keep their results whole.
	wholeTurns = 2
)

// elided is a result as an old turn's has it: the head of a large one, and the
// addresses of its pictures.
func elided(p model.ChatPart) string {
	var b strings.Builder
	b.WriteString(elidedText(p))
	for _, m := range p.Media {
		fmt.Fprintf(&b, "\n[a picture of this old result, which you saw and no longer see: %s, %d bytes, %s]", m.MIMEType, m.Size, m.URL)
	}
	return b.String()
}

func elidedText(p model.ChatPart) string {
	if len(p.Text) <= largeResult {
		return p.Text
	}
	how := "Call the tool again if you need it."
	if p.CallID != "" {
		how = fmt.Sprintf("%s with id %q gives it again.", toolReadResult, p.CallID)
	}
	return fmt.Sprintf("%s\n[%d of %d bytes of this old result were left out. %s]",
		clip(p.Text, elidedHead), len(p.Text)-elidedHead, len(p.Text), how)
}

// gain is how much is left out of a result that is elided.
func gain(p model.ChatPart) int {
	n := len(p.Media) * pictureSize
	if len(p.Text) > largeResult {
		n += len(p.Text) - elidedHead
	}
	return n
}

// elideBefore is the row from which on results go out whole, given the row of before:
// it moves on, at the beginning of a turn, once enough is gained by it.
func elideBefore(rows []model.ChatMessage, before string) string {
	turns, from := 0, ""
	for i := len(rows) - 1; i >= 0; i-- {
		if rows[i].Role == model.RoleUser {
			if turns++; turns > wholeTurns {
				break
			}
			from = rows[i].ID
		}
	}
	if turns <= wholeTurns {
		return before
	}
	gained := 0
	for _, m := range rows {
		for _, p := range m.Parts {
			if p.Kind == model.PartToolResult && m.ID >= before && m.ID < from {
				gained += gain(p)
			}
		}
	}
	if gained < worthEliding {
		return before
	}
	return from
}
