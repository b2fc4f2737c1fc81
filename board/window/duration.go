package window

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Duration is a time.Duration, in nanoseconds, with another text: "forever", or "1h30m", as time.ParseDuration reads it. A time.Duration is converted:
// Duration(10 * time.Minute).
type Duration time.Duration

// Forever is the grace of a period that takes results until it is closed by hand. Its text is "forever".
const Forever Duration = math.MaxInt64

const forever = "forever"

// String returns the duration without its trailing zeros: "3h", "1h30m", "0s", "forever".
func (d Duration) String() string {
	if d == Forever {
		return forever
	}
	s := time.Duration(d).String()
	if strings.HasSuffix(s, "m0s") {
		s = s[:len(s)-len("0s")]
	}
	if strings.HasSuffix(s, "h0m") {
		s = s[:len(s)-len("0m")]
	}
	return s
}

// MarshalText returns what String does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads "forever" or what time.ParseDuration does. It fails, with ErrWindow, for anything else.
func (d *Duration) UnmarshalText(text []byte) error {
	if string(text) == forever {
		*d = Forever
		return nil
	}
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%w: %q is no duration, want one like 1h30m, or forever", ErrWindow, text)
	}
	*d = Duration(parsed)
	return nil
}
