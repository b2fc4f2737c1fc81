package listpack

import "fmt"

// Decode returns the list whose encoding is b. It copies b and verifies all of it, so it can be given bytes from anywhere:
// whatever is wrong comes back as an error that wraps [ErrCorrupt] and says where. A list that decodes encodes to the same
// bytes. O(n). It allocates the copy, and a table of 16 to 32 bytes an entry for lists of more than 128 entries.
func Decode(b []byte) (List, error) {
	if f := verify(b); f != nil {
		return List{}, fmt.Errorf("%w: byte %d: %s", ErrCorrupt, f.at, f.found)
	}
	return List{b: append([]byte(nil), b...)}, nil
}
