package printable

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns text with an escape in place of each character that could move a terminal's cursor or change the reading direction, and of each byte that is
// not UTF-8: \xff.
func Text(text string) string { return escaped(text, harmful) }

// Name is Text with each backslash doubled. So two different names never look the same.
func Name(name string) string {
	return escaped(name, func(r rune) bool { return r == '\\' || harmful(r) })
}

// escaped returns name with Go's escapes in place of bytes that are not UTF-8 and of characters for which escape holds.
func escaped(name string, escape func(rune) bool) string {
	if utf8.ValidString(name) && strings.IndexFunc(name, escape) < 0 {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if escape(r) || r == utf8.RuneError && n == 1 {
			quoted := strconv.QuoteToASCII(name[i : i+n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(name[i : i+n])
		}
		i += n
	}
	return b.String()
}

// harmful holds for control characters (C0, DEL, C1), line and paragraph separators, and bidirectional controls.
func harmful(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}
