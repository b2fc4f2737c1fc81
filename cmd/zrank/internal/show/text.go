package show

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Score returns the text of a score, the same in every format: the shortest decimal that reads back as exactly this
// number, with an exponent only below 1e-6 and from 1e21 on, as encoding/json writes it. 22 is "22", -0 is "0".
func Score(v float64) string {
	if v == 0 {
		return "0"
	}
	if size := math.Abs(v); size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	text := strconv.FormatFloat(v, 'e', -1, 64)
	// JSON writes e-9 where Go writes e-09.
	if n := len(text); n >= 4 && text[n-4:n-1] == "e-0" {
		text = text[:n-2] + text[n-1:]
	}
	return text
}

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
