package tokens

import (
	_ "embed" // the vocabulary
)

// vocabulary is o200k_base (openai/tiktoken, MIT), made by ./gen. It is read where
// it lies in the program: nothing is loaded, and what nobody asks for stays on disk.
//
// All numbers have three bytes, the lowest first: how many words there are; where
// each word begins, by its rank, and where the last ends; 1<<indexBits slots of a
// hash table with open addressing, each a rank plus one, or 0. Then the words.
//
//go:embed o200k_base.bin
var vocabulary string

const (
	width     = 3
	indexBits = 18
	slots     = 1 << indexBits
)

func number(at int) int {
	return int(vocabulary[at]) | int(vocabulary[at+1])<<8 | int(vocabulary[at+2])<<16
}

// rank is when byte-pair encoding joins to this word: the lowest first.
func rank(word string) (int, bool) {
	count := number(0)
	index := (count + 2) * width
	words := index + slots*width
	for slot := hash(word); ; slot++ {
		r := number(index+slot%slots*width) - 1
		if r < 0 {
			return 0, false
		}
		from, to := number((r+1)*width), number((r+2)*width)
		if vocabulary[words+from:words+to] == word {
			return r, true
		}
	}
}

// hash is FNV-1a, folded to the table's size.
func hash(word string) int {
	h := uint32(2166136261)
	for i := range len(word) {
		h = (h ^ uint32(word[i])) * 16777619
	}
	return int(h>>(32-indexBits) ^ h&(slots-1))
}

// Table writes a vocabulary: the words by their ranks.
func Table(words []string) []byte {
	var out []byte
	put := func(n int) { out = append(out, byte(n), byte(n>>8), byte(n>>16)) }
	put(len(words))
	at := 0
	for _, w := range words {
		put(at)
		at += len(w)
	}
	put(at)
	index := make([]int, slots)
	for r, w := range words {
		slot := hash(w)
		for index[slot%slots] != 0 {
			slot++
		}
		index[slot%slots] = r + 1
	}
	for _, entry := range index {
		put(entry)
	}
	for _, w := range words {
		out = append(out, w...)
	}
	return out
}
