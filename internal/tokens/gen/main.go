// Command gen writes the vocabulary of internal/tokens from the module that embeds
// it. See table.go for the format.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/tiktoken-go/tokenizer/codec"

	"kontor.dev/kontor/internal/tokens"
)

func main() {
	log.SetFlags(0)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	reference := codec.NewO200kBase()
	var words []string
	for {
		word, err := reference.Decode([]uint{uint(len(words))})
		if err != nil {
			break // the ids have no gap: this is the first that stands for nothing
		}
		words = append(words, word)
	}
	if len(words) < 100_000 {
		return fmt.Errorf("the module knows %d words only", len(words))
	}
	return os.WriteFile("o200k_base.bin", tokens.Table(words), 0o644)
}
