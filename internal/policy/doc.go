// Package policy says whether a call may run: allow it, ask the person, or deny it.
// The person's rules are tried in order and the first that fits wins; where none
// fits, or the rules can't be read, the person is asked. A denial is never bypassed.
//
// It refuses to know how a call runs and how the person is asked: it decides, and
// keeps the rules. What was decided is written down by who acts on it.
package policy
