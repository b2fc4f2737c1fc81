package flags

import "time"

// TimeHelp says what ParseTime reads.
const TimeHelp = "a time as 2026-11-20T12:00:00Z, or a date as 2026-11-20 in UTC"

// ParseTime reads the value of a flag. "" is the zero time. Errors: an Error.
func ParseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, Errorf("--%s is %q, want %s", flag, text, TimeHelp)
}
