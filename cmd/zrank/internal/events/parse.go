package events

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
)

const (
	// maxMember and maxBoard are the longest names, in bytes.
	maxMember = board.MaxMember
	maxBoard  = 1 << 10
)

// leftOut reports whether a field has no value. Tables of absent values have "-".
func leftOut(text string) bool { return text == "" || text == board.Absent.String() }

// parseValue reads a number: one with a point or an exponent is a float64, any other an int64. Hexadecimal and digits with underscores,
// which Go would take, are not numbers here.
func parseValue(column, text string) (v board.Value, reason string) {
	v, err := rules.ParseValue(text)
	if err == nil {
		return v, ""
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case strings.ContainsAny(text, "xX_") || err != nil && !errors.Is(err, strconv.ErrRange):
		return v, fmt.Sprintf("%s %s is not a number", column, quote(text))
	case err == nil && (math.IsNaN(f) || math.IsInf(f, 0)):
		return v, fmt.Sprintf("%s %s is not finite", column, quote(text))
	case err == nil:
		return v, fmt.Sprintf("%s %s is out of range: a whole number is an int64, and one with a point a float64", column, quote(text))
	}
	return v, fmt.Sprintf("%s %s is out of range", column, quote(text))
}

// checkMember returns the reason why the name of a member is wrong, or "". A name may be any bytes.
func checkMember(name string) (reason string) { return checkLength("member", name, maxMember) }

// checkBoard returns the reason why the name of a board is wrong, or "".
func checkBoard(name string) (reason string) {
	if reason = checkLength("board", name, maxBoard); reason == "" && !utf8.ValidString(name) {
		return fmt.Sprintf("board %s is not valid UTF-8", quote(name))
	}
	return reason
}

func checkLength(what, name string, most int) (reason string) {
	switch {
	case name == "":
		return what + " is empty"
	case len(name) > most:
		return fmt.Sprintf("%s is %d bytes long, at most %d are allowed", what, len(name), most)
	}
	return ""
}

// quote makes any text safe and short enough for an error message.
func quote(text string) string {
	const most = 60
	if len(text) <= most {
		return strconv.Quote(text)
	}
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strconv.Quote(text[:cut]) + "..."
}
