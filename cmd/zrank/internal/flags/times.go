package flags

import (
	"time"

	"github.com/zrankdb/zrank/board/ops"
)

// TimeHelp says what ParseTime reads.
const TimeHelp = "a time as 2026-11-20T12:00:00Z, a date as 2026-11-20 in UTC, or seconds after 1970"

// ParseTime reads the value of a flag, as ops.ParseTime does. "" is the zero time. Errors: an Error.
func ParseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	t, err := ops.ParseTime(text)
	if err != nil {
		return t, Errorf("--%s is %q, want %s", flag, text, TimeHelp)
	}
	return t, nil
}
