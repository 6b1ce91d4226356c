package secret

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// minSecret is the least length, in characters, of what is masked.
const minSecret = 8

// forms lists how a secret may stand in a text, itself first; none when it is
// too short.
func forms(value string) []string {
	var all []string
	for _, part := range parts(value) {
		if utf8.RuneCountInString(part) < minSecret {
			continue
		}
		all = append(all, part)
		all = append(all, jsonForms(part)...)
		all = append(all, urlForms(part)...)
		all = append(all, base64Forms(part)...)
	}
	return all
}

// parts are the value and what is as secret as it: the credential behind an
// authentication scheme, and the lines of a text that programs write by lines.
func parts(value string) []string {
	all := []string{value}
	scheme, rest, ok := strings.Cut(value, " ")
	switch strings.ToLower(scheme) {
	case "bearer", "basic", "token":
		if ok {
			all = append(all, strings.TrimSpace(rest))
		}
	}
	if !strings.ContainsAny(value, "\r\n") {
		return all
	}
	for line := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == '\r' || r == '\n' }) {
		// The frame of a PEM block is no secret, and stands in many texts.
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "-----") {
			all = append(all, line)
		}
	}
	return all
}

// jsonForms are the value inside a JSON string as encoders write it: with and
// without HTML escapes, slashes escaped, in ASCII only; and inside a Go string.
func jsonForms(value string) []string {
	quoted, err := json.Marshal(value)
	if err != nil { // strings always marshal
		return nil
	}
	html := unquote(string(quoted))
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(html)
	slashed := strings.ReplaceAll(plain, "/", `\/`)
	ascii := asciiForm(plain)
	return []string{html, plain, slashed, ascii, strings.ReplaceAll(ascii, "/", `\/`),
		unquote(strconv.Quote(value)), unquote(strconv.QuoteToASCII(value))}
}

func unquote(quoted string) string { return quoted[1 : len(quoted)-1] }

// asciiForm writes everything beyond ASCII as \u and four digits.
func asciiForm(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r < utf8.RuneSelf {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.String()
}

var percent = regexp.MustCompile(`%[0-9A-F]{2}`)

// urlForms are the value in a query, in a path, and as browsers write a
// component, with hexadecimal digits of either case.
func urlForms(value string) []string {
	query := url.QueryEscape(value)
	component := strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*").Replace(query)
	all := []string{query, url.PathEscape(value), component, strings.ReplaceAll(query, "+", "%20")}
	for _, form := range all {
		if lower := percent.ReplaceAllStringFunc(form, strings.ToLower); lower != form {
			all = append(all, lower)
		}
	}
	return all
}

// base64Forms are the value within a longer text in base64. Where it begins
// within a group of three bytes changes every character, so there are three;
// the characters that it shares with its neighbours are not part of a form.
func base64Forms(value string) []string {
	var all []string
	for shift := range 3 {
		padded := append(make([]byte, shift), value...)
		first := (shift*8 + 5) / 6  // characters that hold a bit of the padding
		last := len(padded) * 8 / 6 // characters that hold no bit of what follows
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			all = append(all, encoding.EncodeToString(padded)[first:last])
		}
	}
	return all
}
