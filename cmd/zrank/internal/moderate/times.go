package moderate

import (
	"time"

	"github.com/zrankdb/zrank/cmd/zrank/internal/flags"
)

// timeHelp says what parseTime reads.
const timeHelp = "a time as 2026-11-20T12:00:00Z, or a date as 2026-11-20 in UTC"

// parseTime reads the value of a flag. "" is the zero time. Errors: a flags.Error.
func parseTime(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, flags.Errorf("--%s is %q, want %s", flag, text, timeHelp)
}
