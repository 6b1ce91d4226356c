package secret

// filter tells quickly that a text holds none of some words, each of at least
// minSecret bytes. It looks at 6 bytes out of every 3: an occurrence of a word of
// 8 bytes or more covers one of these windows whole, wherever it begins. Nearly
// every text that a server sends has no secret in it, and is read at memory's
// pace instead of the replacer's.
type filter struct {
	// bits is a set of hashes that keeps most windows away from the map.
	bits    [1 << (hashBits - 6)]uint64
	windows map[uint64]struct{}
}

const (
	window   = 6
	stride   = 3 // window + stride - 1 <= minSecret
	hashBits = 18
)

func newFilter(words []string) *filter {
	f := &filter{windows: make(map[uint64]struct{})}
	for _, word := range words {
		for offset := range stride {
			w := windowAt(word, offset)
			f.windows[w] = struct{}{}
			f.bits[hash(w)/64] |= 1 << (hash(w) % 64)
		}
	}
	return f
}

// may tells whether text may hold a word; false is certain.
func (f *filter) may(text string) bool {
	for i := 0; i+window <= len(text); i += stride {
		w := windowAt(text, i)
		if f.bits[hash(w)/64]&(1<<(hash(w)%64)) == 0 {
			continue
		}
		if _, ok := f.windows[w]; ok {
			return true
		}
	}
	return false
}

func windowAt(s string, i int) uint64 {
	s = s[i : i+window]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40
}

// hash is multiplicative: the high bits of a product with an odd constant (2^64
// divided by the golden ratio).
func hash(w uint64) uint64 { return w * 0x9E3779B97F4A7C15 >> (64 - hashBits) }
