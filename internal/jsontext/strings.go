package jsontext

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// ErrString is returned for a text in which a string has bytes that are no UTF-8, or half of a pair of surrogates, as in "\ud83d".
var ErrString = errors.New("a string is no Unicode")

// Check returns ErrString if encoding/json would read another string than the text has: it puts U+FFFD in place of what is no Unicode, so that two names become
// one. O(bytes).
func Check(text []byte) error {
	if !utf8.Valid(text) {
		return fmt.Errorf("%w: it has bytes that are no UTF-8", ErrString)
	}
	for rest := text; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 {
			return nil
		}
		rest = rest[at:]
		unit, ok := escaped(rest)
		switch {
		case !ok: // another escape, or none: the decoder sees to it
			rest = rest[min(2, len(rest)):]
		case utf16.IsSurrogate(unit):
			second, _ := escaped(rest[escapeLen:])
			if utf16.DecodeRune(unit, second) == utf8.RuneError {
				return fmt.Errorf("%w: %s is half of a pair of surrogates", ErrString, rest[:escapeLen])
			}
			rest = rest[2*escapeLen:]
		default:
			rest = rest[escapeLen:]
		}
	}
}

// escapeLen is the length of an escape such as \ud83d.
const escapeLen = 6

// escaped returns the code unit of the escape that a text begins with.
func escaped(text []byte) (unit rune, ok bool) {
	if len(text) < escapeLen || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:escapeLen]), 16, 16)
	return rune(n), err == nil
}
