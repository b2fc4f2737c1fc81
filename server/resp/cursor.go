package resp

import (
	"bytes"
	"math"
	"strconv"
)

const errCursor = refusal("ERR invalid cursor")

// parseCursor reads a cursor as Redis does, with C's strtoul: an empty one is 0, a sign is allowed, and a negative one counts from the
// end of 64 bits. A byte 0 ends it.
func parseCursor(b []byte) (cursor uint64, ok bool) {
	b, _, _ = bytes.Cut(b, []byte{0})
	if len(b) == 0 {
		return 0, true
	}
	negative := b[0] == '-'
	if negative || b[0] == '+' {
		b = b[1:]
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	cursor, err := strconv.ParseUint(string(b), 10, 64)
	if err != nil {
		return 0, false
	}
	if negative {
		cursor = math.MaxUint64 - cursor + 1
	}
	return cursor, true
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }
