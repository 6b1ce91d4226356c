package access

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of argon2id: OWASP's second choice (19 MiB, two passes, one lane),
// because the first takes more memory than the whole of Kontor at rest.
const (
	argonMemory  = 19 << 10 // KiB
	argonTime    = 2
	argonThreads = 1
	argonKey     = 32
	argonSalt    = 16
)

// phc is a password hash in the PHC string format, as the argon2 tools write it:
// $argon2id$v=19$m=19456,t=2,p=1$salt$hash.
type phc struct {
	memory, time uint32
	threads      uint8
	salt, key    []byte
}

// HashPassword makes the string that KONTOR_PASSWORD_HASH takes.
func HashPassword(password string) string {
	salt := make([]byte, argonSalt)
	rand.Read(salt) // never fails (crypto/rand)
	p := phc{memory: argonMemory, time: argonTime, threads: argonThreads, salt: salt}
	p.key = p.derive(password, argonKey)
	return p.String()
}

func (p phc) derive(password string, size uint32) []byte {
	return argon2.IDKey([]byte(password), p.salt, p.time, p.memory, p.threads, size)
}

func (p phc) matches(password string) bool {
	return subtle.ConstantTimeCompare(p.derive(password, uint32(len(p.key))), p.key) == 1
}

// String is the PHC form.
func (p phc) String() string {
	b := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.memory, p.time, p.threads,
		b.EncodeToString(p.salt), b.EncodeToString(p.key))
}

func parsePHC(s string) (phc, error) {
	var p phc
	var version int
	parts := strings.Split(s, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" {
		return p, fmt.Errorf("it must look like $argon2id$v=19$m=…,t=…,p=…$salt$hash")
	}
	if _, err := fmt.Sscanf(parts[2], "v=%d", &version); err != nil || version != argon2.Version {
		return p, fmt.Errorf("only version %d of argon2id is known", argon2.Version)
	}
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.memory, &p.time, &p.threads); err != nil {
		return p, fmt.Errorf("its cost must look like m=…,t=…,p=…")
	}
	// argon2 panics for zeros, and a huge m would take all memory at each sign-in.
	if p.time < 1 || p.time > 64 || p.threads < 1 || p.memory < 8 || p.memory > 1<<20 {
		return p, fmt.Errorf("its cost is out of range: m up to 1048576, t up to 64")
	}
	var errSalt, errKey error
	p.salt, errSalt = base64.RawStdEncoding.DecodeString(parts[4])
	p.key, errKey = base64.RawStdEncoding.DecodeString(parts[5])
	if errSalt != nil || errKey != nil || len(p.salt) < 8 || len(p.key) < 16 {
		return p, fmt.Errorf("its salt or hash isn't base64, or too short")
	}
	return p, nil
}
