package show

import (
	"encoding/hex"
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

// Printable returns text with an escape in place of each character that could move a terminal's cursor or change the reading direction,
// and of each byte that is not UTF-8: \xff.
func Printable(text string) string { return escaped(text, harmful) }

// Name returns the name of a member as tables show it: as Printable, and with each backslash doubled. So two different members never look
// the same.
func Name(member string) string {
	return escaped(member, func(r rune) bool { return r == '\\' || harmful(r) })
}

// Hex returns the bytes of a member in hexadecimal if they are not UTF-8, and "" if they are. JSON cannot have such a member.
func Hex(member string) string {
	if utf8.ValidString(member) {
		return ""
	}
	return hex.EncodeToString([]byte(member))
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
