package printable

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"
)

// coded begins a cell that has base64 in place of a text.
const coded = "base64:"

// formulas are the characters that make a spreadsheet take a cell for a formula; the last four are the wide forms of the first four. An apostrophe is among
// them because it marks texts, so that no two texts become the same cell.
const formulas = "=+-@＝＋－＠'"

// Cell returns a text as a cell that a spreadsheet shows as it is. Two different texts have different cells.
//
//   - Bytes that are no UTF-8 or have a NUL, and what begins with "base64:", are that and their base64.
//   - So is a text with something like a formula behind a semicolon, a tab or the end of a line: a spreadsheet that takes semicolons or tabs for the limits of cells would
//     compute it.
//   - A text that begins like a formula has an apostrophe before it, as people write it. Spaces and control characters at its beginning do not count.
//
// The quotes of CSV come later. O(length).
func Cell(text string) string {
	begins, hides := formulaIn(text)
	switch {
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0) || strings.HasPrefix(text, coded) || hides:
		return coded + base64.StdEncoding.EncodeToString([]byte(text))
	case begins:
		return "'" + text
	}
	return text
}

// formulaIn reports whether a text begins like a formula, and whether there is something like one behind a character that may be the limit of a cell. O(length).
func formulaIn(text string) (begins, hides bool) {
	first, behind := true, false // nothing but spaces so far; nothing else since a limit
	for _, r := range text {
		switch {
		case strings.ContainsRune(";\t\r\n", r):
			behind = true
		case unicode.IsSpace(r) || unicode.IsControl(r):
		case strings.ContainsRune(formulas, r):
			begins, hides = begins || first, hides || behind
			first, behind = false, false
		default:
			first, behind = false, false
		}
	}
	return begins, hides
}
