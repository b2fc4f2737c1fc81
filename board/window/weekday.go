package window

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Weekday is a day of the week. Its zero value is Monday, as in ISO 8601 and unlike time.Weekday. Its text is its English name
// in small letters.
type Weekday int8

// The days of the week.
const (
	Monday Weekday = iota
	Tuesday
	Wednesday
	Thursday
	Friday
	Saturday
	Sunday
)

var weekdays = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

func (d Weekday) valid() bool { return Monday <= d && d <= Sunday }

// std returns the day as package time numbers it.
func (d Weekday) std() time.Weekday { return time.Weekday((d + 1) % 7) }

// String returns the English name, "monday", or Weekday(n) for a value that is no day.
func (d Weekday) String() string {
	if !d.valid() {
		return fmt.Sprintf("Weekday(%d)", int8(d))
	}
	return weekdays[d]
}

// MarshalText returns "monday". It fails, with ErrWindow, for a value that is no day.
func (d Weekday) MarshalText() ([]byte, error) {
	if !d.valid() {
		return nil, fmt.Errorf("%w: %v is no day of the week", ErrWindow, d)
	}
	return []byte(weekdays[d]), nil
}

// UnmarshalText reads what MarshalText writes. It fails, with ErrWindow, for anything else.
func (d *Weekday) UnmarshalText(text []byte) error {
	i := slices.Index(weekdays, string(text))
	if i < 0 {
		return fmt.Errorf("%w: %q is no day of the week, want one of %s", ErrWindow, text, strings.Join(weekdays, ", "))
	}
	*d = Weekday(i)
	return nil
}
