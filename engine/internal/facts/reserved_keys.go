package facts

import (
	"errors"
	"fmt"
)

// ErrReserved is returned by calls that would change a key that begins with "board/" or "board.": see Reserved.
var ErrReserved = errors.New("engine: key is reserved for boards")

// Keys of sets and private keys that begin with "board/" or "board." belong to package board. Everybody may read them. A call that
// would change one returns ErrReserved, unless it comes from an Owner.

// Reserved reports whether a key of a set, or a private key, is reserved for package board: it begins with "board/" or "board.". Such
// keys can be read; calls that would change one return ErrReserved. O(1).
//
// An older version of package engine let a program make its own sets under such keys. A directory with such sets opens, and they can be read.
// A set with float64 scores, which no board ever has, can get another key by Rename. A set with int64 scores can be copied by CopyInts and
// Copy. A private key keeps its value.
func Reserved(key string) bool {
	return len(key) > 5 && (key[5] == '/' || key[5] == '.') && key[:5] == "board"
}

// ReservedError returns an ErrReserved that names the key.
func ReservedError(key string) error { return fmt.Errorf("%w: %q", ErrReserved, key) }

// Refuse returns ErrReserved if one of the keys is reserved.
func Refuse(keys ...string) error {
	for _, key := range keys {
		if Reserved(key) {
			return ReservedError(key)
		}
	}
	return nil
}
