package command

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"github.com/zrankdb/zrank/internal/glob"
)

// ParseCursor reads a cursor as Redis does, with C's strtoul: an empty text is 0, a sign is allowed, a negative number counts from the end
// of 64 bits, and a zero byte ends the text.
func ParseCursor(b []byte) (cursor uint64, ok bool) {
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

// ScanOptions are the words of SCAN and ZSCAN.
type ScanOptions struct {
	Cursor uint64
	Count  int
	Match  func(string) bool
	Kind   string // the name of a type, in lower case; "": any
}

// ParseScan reads the words of SCAN, its name first. Errors: a Refusal.
func ParseScan(a [][]byte) (o ScanOptions, err error) {
	cursor, ok := ParseCursor(a[1])
	if !ok {
		return o, ErrCursor
	}
	o, err = ParseScanOptions(a[2:], true)
	o.Cursor = cursor
	return o, err
}

// ParseScanOptions reads the options after a cursor; typed allows TYPE, which ZSCAN lacks. Errors: a Refusal.
func ParseScanOptions(words [][]byte, typed bool) (o ScanOptions, err error) {
	o.Count, o.Match = 10, glob.Compile("*")
	for ; len(words) > 0; words = words[2:] {
		if len(words) == 1 {
			return o, ErrSyntax
		}
		switch word := words[0]; {
		case Is(word, "count"):
			n, err := ParseInt[int64](words[1])
			if err != nil {
				return o, err
			}
			if n < 1 {
				return o, ErrSyntax
			}
			o.Count = int(min(n, 1<<20))
		case Is(word, "match"):
			o.Match = glob.Compile(string(words[1]))
		case Is(word, "type") && typed:
			o.Kind = strings.ToLower(string(words[1]))
		default:
			return o, ErrSyntax
		}
	}
	return o, nil
}
