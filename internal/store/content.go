package store

import "kontor.dev/kontor/internal/model"

// block is a block of content as it is kept. Most results are one text, which is
// the result's text too: it may be megabytes, and isn't kept twice.
type block struct {
	model.Content
	// Whole says that Text is the result's, and left out.
	Whole bool `json:"whole,omitempty"`
}

func blocksOf(r model.Result) []block {
	if r.Content == nil {
		return nil
	}
	blocks := make([]block, len(r.Content))
	for i, c := range r.Content {
		blocks[i].Content = c
		if c.Text != "" && c.Text == r.Text {
			blocks[i].Text, blocks[i].Whole = "", true
		}
	}
	return blocks
}

func contentOf(blocks []block, text string) []model.Content {
	if blocks == nil {
		return nil
	}
	content := make([]model.Content, len(blocks))
	for i, b := range blocks {
		content[i] = b.Content
		if b.Whole {
			content[i].Text = text
		}
	}
	return content
}
