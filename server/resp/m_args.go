package resp

import (
	"bytes"
	"math"
	"strconv"

	"github.com/zrankdb/zrank/server/resp/internal/wire"
)

// is says whether a word is an option, which is given in lower case.
func is(word []byte, option string) bool {
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

// parseInt reads an integer of 64 bits. Where an int has 32 bits, one beyond it is the nearest int that has an opposite: a rank or a count
// that no set reaches. Errors: errNotInteger.
func parseInt[T int | int64](word []byte) (T, error) {
	n, ok := wire.ParseInt(word)
	if !ok {
		return 0, errNotInteger
	}
	if int64(T(n)) != n {
		n = max(min(n, math.MaxInt), -math.MaxInt)
	}
	return T(n), nil
}

// parseFrom reads an integer that may not be lower than another, and has one error for all that can be wrong with it.
func parseFrom(least int, word []byte, otherwise refusal) (int, error) {
	n, err := parseInt[int](word)
	if err != nil || n < least {
		return 0, otherwise
	}
	return n, nil
}

// clip returns the beginning of a text, up to a byte that is 0, where texts end for Redis.
func clip(b []byte, n int) string {
	b = b[:min(n, len(b))]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// number is a truth as commands answer it.
func number(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func decimal(n uint64) string { return strconv.FormatUint(n, 10) }

// parseDatabase reads the number of one of so many databases.
func parseDatabase(word []byte, databases int) (int, error) {
	n, err := parseInt[int64](word)
	switch {
	case err != nil:
		return 0, err
	case n != int64(int32(n)):
		return 0, refusal("ERR value is out of range, value must between -2147483648 and 2147483647")
	case n < 0 || n >= int64(databases):
		return 0, errDatabase
	}
	return int(n), nil
}

// parseFlush says whether the words after FLUSHDB and FLUSHALL are right. It is the same whether the keys are dropped in the
// background or not.
func parseFlush(a [][]byte) error {
	if len(a) == 1 || len(a) == 2 && (is(a[1], "sync") || is(a[1], "async")) {
		return nil
	}
	return errSyntax
}
