package events

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/engine/board/rules"
)

const (
	// maxMember and maxBoard are the longest names, in bytes.
	maxMember = board.MaxMember
	maxBoard  = 1 << 10

	// millisFrom is the distance from zero at which a Unix time is read as milliseconds.
	millisFrom = 100_000_000_000
)

// parseTime reads RFC 3339 or a Unix time.
func parseTime(text string) (t time.Time, reason string) {
	if text == "" {
		return t, "time is missing"
	}
	ok := false
	if strings.IndexByte(text, ':') >= 0 {
		var err error
		t, err = time.Parse(time.RFC3339, text)
		t, ok = t.UTC(), err == nil
	} else {
		t, ok = parseUnix(text)
	}
	if !ok {
		return t, fmt.Sprintf("time %s is neither RFC 3339 nor Unix seconds or milliseconds", quote(text))
	}
	if year := t.Year(); year < 0 || year > 9999 {
		return t, fmt.Sprintf("time %s is outside the years 0 to 9999", quote(text))
	}
	if t.IsZero() {
		return t, fmt.Sprintf("time %s is Go's zero time, which stands for no time", quote(text))
	}
	return t, ""
}

// parseUnix reads a decimal number of seconds or, from millisFrom on, of milliseconds. It works on digits, not on floats,
// so a fraction is exact to the nanosecond.
func parseUnix(text string) (time.Time, bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, dotted := strings.Cut(digits, ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) {
		return time.Time{}, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return time.Time{}, false
	}
	unit := int64(time.Second)
	if n >= millisFrom {
		unit = int64(time.Millisecond)
	}
	perSecond := int64(time.Second) / unit
	sec, nsec := n/perSecond, n%perSecond*unit
	for i := 0; i < len(fraction) && unit > 1; i++ {
		unit /= 10
		nsec += int64(fraction[i]-'0') * unit
	}
	if negative {
		sec, nsec = -sec, -nsec
	}
	return time.Unix(sec, nsec).UTC(), true
}

func isDigits(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// parseValue reads a number: one with a point or an exponent is a float64, any other an int64. Hexadecimal and digits with underscores,
// which Go would take, are not numbers here.
func parseValue(column, text string) (v board.Value, reason string) {
	if text == "" {
		return v, column + " is missing"
	}
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

// checkName says what is wrong with a member or board name; "" means nothing is.
func checkName(column, name string, most int) (reason string) {
	switch {
	case len(name) > most:
		return fmt.Sprintf("%s is %d bytes long, at most %d are allowed", column, len(name), most)
	case !utf8.ValidString(name):
		return fmt.Sprintf("%s %s is not valid UTF-8", column, quote(name))
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
