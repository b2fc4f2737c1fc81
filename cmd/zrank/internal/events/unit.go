package events

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Unit is the unit of all times of an input.
type Unit uint8

const (
	// Auto is the unit of the first row: RFC 3339, or the coarsest unit in which its number is a moment of the years 0 to 9999. That
	// moment must be of the years 1840 to 2099. In an input of numbers the times of all other rows must be of these years, too, and each
	// must be a number that Auto would not read in a coarser unit if it came first.
	Auto Unit = iota
	// RFC3339 is RFC 3339 with a time of day: 2010-07-11T20:45:00Z. With a blank in place of the T the zone may be missing, and is UTC then.
	RFC3339
	// Seconds are Unix seconds in decimal, with or without a fraction, as are the units below.
	Seconds
	// Milliseconds are Unix milliseconds.
	Milliseconds
	// Microseconds are Unix microseconds.
	Microseconds
	// Nanoseconds are Unix nanoseconds.
	Nanoseconds
)

// units are the names of units, short and for people.
var units = []struct{ short, long string }{{"auto", "any unit"}, {"rfc3339", "RFC 3339"}, {"s", "seconds"}, {"ms", "milliseconds"},
	{"us", "microseconds"}, {"ns", "nanoseconds"}}

// String returns the short name: "auto", "rfc3339", "s", "ms", "us" or "ns".
func (u Unit) String() string {
	if int(u) >= len(units) {
		return fmt.Sprintf("Unit(%d)", uint8(u))
	}
	return units[u].short
}

// ParseUnit parses a short name. Errors: any other text.
func ParseUnit(text string) (Unit, error) {
	for u, name := range units {
		if name.short == text {
			return Unit(u), nil
		}
	}
	return Auto, fmt.Errorf("unit is %q, want auto, rfc3339, s, ms, us or ns", text)
}

const (
	// minTime and maxTime are the first and the last second of the years 0 to 9999.
	minTime = -62_167_219_200
	maxTime = 253_402_300_799
	// autoFrom and autoTo bound the years 1840 to 2099, half-open.
	autoFrom = -4_102_444_800
	autoTo   = 4_102_444_800
)

// number is a decimal number. It is digits, not a float, so a fraction is exact to the nanosecond.
type number struct {
	negative bool
	whole    int64
	fraction string
}

// parseNumber reads a decimal number with or without a sign and a fraction.
func parseNumber(text string) (n number, ok bool) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, dotted := strings.Cut(digits, ".")
	if !isDigits(whole) || dotted && !isDigits(fraction) {
		return n, false
	}
	value, err := strconv.ParseInt(whole, 10, 64)
	return number{negative, value, fraction}, err == nil
}

func isDigits(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}

// nanoseconds is the length of each unit.
var nanoseconds = [...]int64{Seconds: 1e9, Milliseconds: 1e6, Microseconds: 1e3, Nanoseconds: 1}

// in returns the number as a time in unit u, one of Seconds to Nanoseconds. ok is false outside of the years 0 to 9999. Digits finer than a
// nanosecond are cut off.
func (n number) in(u Unit) (t time.Time, ok bool) {
	unit := nanoseconds[u]
	perSecond := int64(time.Second) / unit
	sec, nsec := n.whole/perSecond, n.whole%perSecond*unit
	for i := 0; i < len(n.fraction) && unit > 1; i++ {
		unit /= 10
		nsec += int64(n.fraction[i]-'0') * unit
	}
	if n.negative {
		sec, nsec = -sec, -nsec
		if nsec < 0 {
			sec, nsec = sec-1, nsec+int64(time.Second)
		}
	}
	if sec < minTime || sec > maxTime {
		return t, false
	}
	return time.Unix(sec, nsec).UTC(), true
}

// isUsual reports whether t is in the years that Auto accepts.
func isUsual(t time.Time) bool { return t.Unix() >= autoFrom && t.Unix() < autoTo }

// coarser reports whether the number by itself would be read in a coarser unit than u. Zero is the same in all.
func (n number) coarser(u Unit) bool {
	coarsest, usual := n.coarsest()
	return coarsest < u && usual && (n.whole != 0 || strings.Trim(n.fraction, "0") != "")
}

// coarsest returns the coarsest unit in which the number is a moment of the years 0 to 9999, and whether that moment is a usual one.
func (n number) coarsest() (u Unit, usual bool) {
	for u = Seconds; u < Nanoseconds; u++ {
		if t, ok := n.in(u); ok {
			return u, isUsual(t)
		}
	}
	t, _ := n.in(Nanoseconds) // any int64 is a moment
	return u, isUsual(t)
}

// advice names up to two units that the number may be in, the coarsest first.
func (n number) advice() string {
	var texts []string
	for u := Seconds; u <= Nanoseconds && len(texts) < 2; u++ {
		if t, ok := n.in(u); ok {
			texts = append(texts, fmt.Sprintf("%v (%s)", u, t.Format(time.DateOnly)))
		}
	}
	return "; if the file is in another unit, give --time-unit " + strings.Join(texts, " or ")
}

// times parses the times of an input, which are all in one unit.
type times struct {
	unit  Unit // Auto: no row has decided
	given bool // by Options.Unit, rather than by a row
}

// timeError is the reason why a time cannot be read. It ends the input if the unit is not known.
type timeError struct {
	fault  Fault
	reason string
	ends   bool
}

// source says in a message which unit holds and where it comes from.
func (ts times) source() string {
	if ts.given {
		return fmt.Sprintf("--time-unit is %v", ts.unit)
	}
	return fmt.Sprintf("the first row's is in %s", units[ts.unit].long)
}

// parse reads a time. If the unit is Auto, the first time that can be read sets the unit for all later ones.
func (ts *times) parse(text string) (time.Time, *timeError) {
	if text == "" {
		return time.Time{}, &timeError{fault: FaultTime, reason: "time is missing"}
	}
	if strings.IndexByte(text, ':') >= 0 {
		return ts.parseRFC3339(text)
	}
	n, ok := parseNumber(text)
	if !ok {
		return malformedTime(text)
	}
	if ts.unit == RFC3339 {
		return time.Time{}, &timeError{fault: FaultUnit, reason: fmt.Sprintf("time %s is a number, and %s", quote(text), ts.source())}
	}
	if ts.unit == Auto {
		if err := ts.decide(text, n); err != nil {
			return time.Time{}, err
		}
	}
	t, ok := n.in(ts.unit)
	if ok && (ts.given || isUsual(t) && !n.coarser(ts.unit)) {
		return t, refuseZero(t, text)
	}
	why := "is outside the years 0 to 9999 in " + units[ts.unit].long
	switch {
	case !ts.given && ok && isUsual(t):
		why = "looks as if it was not in " + units[ts.unit].long + ", the unit of the first row"
	case !ts.given:
		why = "is not of the years 1840 to 2099 in " + units[ts.unit].long + ", the unit of the first row"
	}
	return t, &timeError{fault: FaultUnit, reason: fmt.Sprintf("time %s %s%s", quote(text), why, n.advice())}
}

func (ts *times) parseRFC3339(text string) (time.Time, *timeError) {
	t, err := parseDate(text)
	if err != nil {
		return malformedTime(text)
	}
	if ts.unit == Auto {
		ts.unit = RFC3339
	}
	if ts.unit != RFC3339 {
		return t, &timeError{fault: FaultUnit, reason: fmt.Sprintf("time %s is RFC 3339, and %s", quote(text), ts.source())}
	}
	if t = t.UTC(); t.Unix() < minTime || t.Unix() > maxTime {
		return t, &timeError{fault: FaultTime, reason: fmt.Sprintf("time %s is outside the years 0 to 9999", quote(text))}
	}
	return t, refuseZero(t, text)
}

// parseDate parses RFC 3339, also with a blank before the time of day, as databases write it, and then without a zone: in UTC.
func parseDate(text string) (time.Time, error) {
	const day = len(time.DateOnly)
	if len(text) > day && text[day] == ' ' {
		text = text[:day] + "T" + text[day+1:]
		if !strings.ContainsAny(text[day:], "Z+-") {
			text += "Z"
		}
	}
	return time.Parse(time.RFC3339, text)
}

// decide sets the unit to the coarsest in which the number is a moment, if that moment is a usual one.
func (ts *times) decide(text string, n number) *timeError {
	if u, usual := n.coarsest(); usual {
		ts.unit = u
		return nil
	}
	return &timeError{fault: FaultUnit, ends: true, reason: fmt.Sprintf(
		"the unit of the file is not known, since its first time, %s, is not of the years 1840 to 2099 in the coarsest unit that it may be in%s",
		quote(text), strings.Replace(n.advice(), "; if the file is in another unit,", ":", 1))}
}

func malformedTime(text string) (time.Time, *timeError) {
	return time.Time{}, &timeError{fault: FaultTime, reason: fmt.Sprintf("time %s is neither RFC 3339 nor a Unix time", quote(text))}
}

// refuseZero refuses Go's zero time.
func refuseZero(t time.Time, text string) *timeError {
	if !t.IsZero() {
		return nil
	}
	return &timeError{fault: FaultTime, reason: fmt.Sprintf("time %s is Go's zero time, which stands for no time", quote(text))}
}

// numeric reports whether a row's number decided the unit. Such a unit may be a wrong guess.
func (ts times) numeric() bool {
	return !ts.given && ts.unit >= Seconds
}
