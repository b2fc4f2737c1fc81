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
// A directory may hold sets of the program's own under such keys, from a version of this package that let it make them. It opens, and
// they can be read. One with float64 scores, which no board ever has, can be given another key by Rename; of one with int64 scores
// CopyInts and Copy make a copy. A private key keeps its value.
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
