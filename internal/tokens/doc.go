// Package tokens counts what a text costs in a model's context, offline, with the
// vocabulary and the rules of OpenAI's o200k_base. Other providers don't publish
// theirs; their counts differ by some per cent, and by more where a text isn't
// English. The numbers are exact for that vocabulary, and named after it.
package tokens

//go:generate go run ./gen
