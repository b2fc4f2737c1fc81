package boardcmd

import (
	"strings"
	"time"

	"github.com/zrankdb/zrank/server/resp/internal/command"
	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// moment says as of when a ranking is read: a time, or after a row of the journal.
type moment struct {
	at    time.Time
	row   uint64
	isRow bool
}

// parseMoment reads a time in seconds after 1970, or the number of a row behind a #.
func parseMoment(word []byte) (m moment, err error) {
	if text, ok := strings.CutPrefix(string(word), "#"); ok {
		m.isRow = true
		m.row, err = parseNumber([]byte(text))
		return m, err
	}
	m.at, err = parseTime(string(word))
	return m, err
}

// parseNumber reads the number of a row of the journal, or of an entry of the audit log. Errors: a refusal.
func parseNumber(word []byte) (uint64, error) {
	n, err := command.ParseInt[int64](word)
	if err == nil && n < 0 {
		err = command.ErrPositive
	}
	return uint64(max(n, 0)), err
}

// errNotTime refuses a word that is not a time between 1970 and the end of the year 9999.
const errNotTime = command.Refusal("ERR value is not a time in seconds after 1970")

const lastSecond = 253402300799 // of the year 9999

// parseTime reads Unix seconds, with up to six digits of a fraction. Errors: errNotTime.
func parseTime(text string) (time.Time, error) {
	whole, fraction, dot := strings.Cut(text, ".")
	s, ok := wire.ParseInt([]byte(whole))
	if !ok || s < 0 || s > lastSecond || dot && (fraction == "" || len(fraction) > 6) {
		return time.Time{}, errNotTime
	}
	micros := int64(0)
	for i := range 6 {
		micros *= 10
		if i < len(fraction) {
			if fraction[i] < '0' || fraction[i] > '9' {
				return time.Time{}, errNotTime
			}
			micros += int64(fraction[i] - '0')
		}
	}
	return time.Unix(s, micros*1000).UTC(), nil
}
