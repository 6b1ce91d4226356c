package servers

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// maxSecrets bounds what is masked for one server; the newest count.
const maxSecrets = 512

// secrets are the values that must not be shown wherever a server's words are:
// those of its settings, and what a person typed into its masked fields.
type secrets struct {
	owner    string
	redactor Redactor

	mu     sync.Mutex
	values []string
}

// add keeps values from being shown. Older ones stay masked: a process that knows
// them may still be writing.
func (s *secrets) add(values []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range values {
		if v != "" && !slices.Contains(s.values, v) {
			s.values = append(s.values, v)
		}
	}
	s.values = s.values[max(0, len(s.values)-maxSecrets):]
	s.redactor.Set(s.owner, slices.Clone(s.values))
}

// forget stops masking, once nothing that knows the values runs.
func (s *secrets) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values = nil
	s.redactor.Set(s.owner, nil)
}

// maskedValues are the texts of an answer that were typed into masked fields.
func maskedValues(schema, content json.RawMessage) []string {
	var s struct {
		Properties map[string]struct {
			Format    string
			WriteOnly bool
		}
	}
	var values map[string]json.RawMessage
	// Odd schemas have no masked fields that a person could have seen.
	if json.Unmarshal(schema, &s) != nil || json.Unmarshal(content, &values) != nil {
		return nil
	}
	var masked []string
	for name, raw := range values {
		var text string
		if p := s.Properties[name]; json.Unmarshal(raw, &text) == nil && (p.Format == "password" || p.WriteOnly || namesSecret(name)) {
			masked = append(masked, text)
		}
	}
	return masked
}

// namesSecret tells by its name whether a field takes a secret.
func namesSecret(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"password", "passphrase", "secret", "token"}, func(word string) bool {
		return strings.Contains(name, word)
	})
}
