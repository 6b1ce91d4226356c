package wire

// maxDepth is how deep arrays and objects may nest, encoding/json's own limit:
// what passes here can be decoded there.
const maxDepth = 10_000

// scanner walks over JSON text (RFC 8259) and checks its grammar without
// decoding anything. Bytes of 0x80 and over inside strings pass as they are,
// also where they are no valid UTF-8: the text is forwarded, not judged.
//
// Every method starts at pos and leaves pos behind what it has read, or, when it
// answers false, at the byte that doesn't fit.
type scanner struct {
	data []byte
	pos  int
}

// next skips white space and answers the byte that follows, 0 at the end. A zero
// byte never begins a token, so the two need no telling apart.
func (s *scanner) next() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// value skips one value that lies inside depth containers. It keeps its own
// stack of open brackets: a stranger's nesting must not grow ours.
func (s *scanner) value(depth int) bool {
	var backing [64]byte
	open := backing[:0]
	for {
		switch c := s.next(); c {
		case '{', '[':
			if depth+len(open) == maxDepth {
				return false
			}
			s.pos++
			if s.next() == closing(c) {
				s.pos++
				break
			}
			open = append(open, c)
			if c == '{' && !s.key() {
				return false
			}
			continue
		default:
			if !s.scalar(c) {
				return false
			}
		}
		var more, ok bool
		if open, more, ok = s.after(open); !ok || !more {
			return ok
		}
	}
}

// after reads what follows a value inside the open containers: closing brackets,
// or a comma and then the beginning of another value (more).
func (s *scanner) after(open []byte) (rest []byte, more, ok bool) {
	for len(open) > 0 {
		innermost := open[len(open)-1]
		switch s.next() {
		case ',':
			s.pos++
			return open, true, innermost == '[' || s.key()
		case closing(innermost):
			s.pos++
			open = open[:len(open)-1]
		default:
			return open, false, false
		}
	}
	return open, false, true
}

// closing is the bracket that ends what c opens.
func closing(c byte) byte { return c + 2 } // true of {} and of [] in ASCII

// members walks over the object whose brace is at pos and calls visit with each
// member: its key as written, quotes included, and its value.
func (s *scanner) members(visit func(key, value []byte)) bool {
	s.pos++
	if s.next() == '}' {
		s.pos++
		return true
	}
	for {
		s.next()
		keyStart := s.pos
		if !s.string() {
			return false
		}
		key := s.data[keyStart:s.pos]
		if s.next() != ':' {
			return false
		}
		s.pos++
		s.next()
		start := s.pos
		if !s.value(1) {
			return false
		}
		visit(key, s.data[start:s.pos:s.pos])
		switch s.next() {
		case ',':
			s.pos++
		case '}':
			s.pos++
			return true
		default:
			return false
		}
	}
}

// elements walks over the array whose bracket is at pos.
func (s *scanner) elements(visit func(value []byte)) bool {
	s.pos++
	if s.next() == ']' {
		s.pos++
		return true
	}
	for {
		s.next()
		start := s.pos
		if !s.value(1) {
			return false
		}
		visit(s.data[start:s.pos:s.pos])
		switch s.next() {
		case ',':
			s.pos++
		case ']':
			s.pos++
			return true
		default:
			return false
		}
	}
}

// end tells whether nothing but white space is left.
func (s *scanner) end() bool {
	s.next()
	return s.pos == len(s.data)
}

// key skips an object's key and the colon behind it.
func (s *scanner) key() bool {
	s.next()
	if !s.string() || s.next() != ':' {
		return false
	}
	s.pos++
	return true
}

func (s *scanner) scalar(first byte) bool {
	switch first {
	case '"':
		return s.string()
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	}
	return s.number()
}

func (s *scanner) literal(word string) bool {
	if len(s.data)-s.pos < len(word) || string(s.data[s.pos:s.pos+len(word)]) != word {
		return false
	}
	s.pos += len(word)
	return true
}

func (s *scanner) number() bool {
	if s.at('-') {
		s.pos++
	}
	if s.at('0') {
		s.pos++
	} else if !s.digits() {
		return false
	}
	if s.at('.') {
		s.pos++
		if !s.digits() {
			return false
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		return s.digits()
	}
	return true
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

// digits skips one digit or more.
func (s *scanner) digits() bool {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos > start
}
