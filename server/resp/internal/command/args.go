package command

import (
	"bytes"
	"math"
	"strconv"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// Is reports whether a word is an option, in any case. The option is given in lower case.
func Is(word []byte, option string) bool {
	if len(word) != len(option) {
		return false
	}
	for i, c := range word {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != option[i] {
			return false
		}
	}
	return true
}

// ParseInt reads an integer of 64 bits. Where an int has 32 bits, an integer beyond them becomes the nearest int whose negative is an int
// too: a rank or a count that no set reaches. Errors: a Refusal.
func ParseInt[T int | int64](word []byte) (T, error) {
	n, ok := wire.ParseInt(word)
	if !ok {
		return 0, errNotInteger
	}
	if int64(T(n)) != n {
		n = max(min(n, math.MaxInt), -math.MaxInt)
	}
	return T(n), nil
}

// ParseFrom reads an integer that must be at least least. It returns the given refusal for everything else.
func ParseFrom(least int, word []byte, otherwise Refusal) (int, error) {
	n, err := ParseInt[int](word)
	if err != nil || n < least {
		return 0, otherwise
	}
	return n, nil
}

// Clip returns the first n bytes of a text, up to a zero byte, where Redis ends texts in its errors.
func Clip(b []byte, n int) string {
	b = b[:min(n, len(b))]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// Upper returns a text with the letters a to z in upper case.
func Upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// Bit returns 1 for true and 0 for false, as commands answer.
func Bit(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// Decimal returns the digits of a number.
func Decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// ParseDatabase reads the number of a database: from 0, below databases. Errors: a Refusal.
func ParseDatabase(word []byte, databases int) (int, error) {
	n, err := ParseInt[int64](word)
	switch {
	case err != nil:
		return 0, err
	case n != int64(int32(n)):
		return 0, Refusal("ERR value is out of range, value must between -2147483648 and 2147483647")
	case n < 0 || n >= int64(databases):
		return 0, errDatabase
	}
	return int(n), nil
}

// ParseFlush checks the words after FLUSHDB, FLUSHALL and FUNCTION FLUSH: none, SYNC or ASYNC, which mean the same here.
func ParseFlush(a [][]byte) error {
	if len(a) == 1 || len(a) == 2 && (Is(a[1], "sync") || Is(a[1], "async")) {
		return nil
	}
	return ErrSyntax
}
