package resp

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
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

// scanOptions are those of SCAN.
type scanOptions struct {
	cursor uint64
	count  int
	match  func(string) bool
	kind   string // in lower case; "": any
}

func parseScan(a [][]byte) (o scanOptions, err error) {
	cursor, ok := parseCursor(a[1])
	if !ok {
		return o, errCursor
	}
	o, err = parseScanOptions(a[2:], true)
	o.cursor = cursor
	return o, err
}

// parseScanOptions reads the options of SCAN, or those of ZSCAN, which has no TYPE.
func parseScanOptions(words [][]byte, typed bool) (o scanOptions, err error) {
	o.count, o.match = 10, glob.Compile("*")
	for ; len(words) > 0; words = words[2:] {
		if len(words) == 1 {
			return o, errSyntax
		}
		switch word := words[0]; {
		case is(word, "count"):
			n, err := parseInt[int64](words[1])
			if err != nil {
				return o, err
			}
			if n < 1 {
				return o, errSyntax
			}
			o.count = int(min(n, 1<<20))
		case is(word, "match"):
			o.match = glob.Compile(string(words[1]))
		case is(word, "type") && typed:
			o.kind = strings.ToLower(string(words[1]))
		default:
			return o, errSyntax
		}
	}
	return o, nil
}
