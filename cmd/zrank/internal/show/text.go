package show

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Title names a ranking: "FIFA World Cup · year · 2010". A period that only repeats its window is left out.
func Title(board, window, period string) string {
	if period == window {
		return board + " · " + window
	}
	return board + " · " + window + " · " + period
}

// Printable returns name with everything that could move a terminal's cursor, or turn the reading direction around,
// written as an escape. Bytes that are not UTF-8 are escaped one by one.
func Printable(name string) string {
	if utf8.ValidString(name) && strings.IndexFunc(name, harmful) < 0 {
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		r, n := utf8.DecodeRuneInString(name[i:])
		if harmful(r) || r == utf8.RuneError && n == 1 {
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
