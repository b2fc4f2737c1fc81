package pages

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// MemberOf reads the name of a member as the pages show it, with escapes: \xff, and \\ for a backslash. A name that has a wrong escape is taken as it is.
func MemberOf(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	if name, ok := unescaped(text); ok {
		return name
	}
	return text
}

// unescaped reads a name as printable.Name shows it; ok is false if it has an escape that this never writes.
func unescaped(text string) (name string, ok bool) {
	var b strings.Builder
	for len(text) > 0 {
		r, multibyte, rest, err := strconv.UnquoteChar(text, 0)
		if err != nil {
			return "", false
		}
		if text[0] == '\\' && !multibyte { // a byte of its own
			b.WriteByte(byte(r))
		} else if text[0] == '\\' || r != utf8.RuneError || strings.HasPrefix(text, "\uFFFD") {
			b.WriteRune(r)
		} else {
			b.WriteByte(text[0])
		}
		text = rest
	}
	return b.String(), true
}
