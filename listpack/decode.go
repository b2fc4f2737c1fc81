package listpack

import (
	"encoding/binary"
	"fmt"
)

// Decode returns the list whose encoding is b. It copies b and verifies all of it, so b may come from any source. If b is not a valid
// encoding, it returns an error that wraps [ErrCorrupt] and names the offset. A decoded list encodes to the same bytes. O(n). It
// allocates the list's blocks and, for lists of more than 128 entries, a table of 16 to 32 bytes per entry.
func Decode(b []byte) (List, error) {
	l, f := view(b)
	if f == nil {
		f = verify(&l)
	}
	if f != nil {
		return List{}, fmt.Errorf("%w: byte %d: %s", ErrCorrupt, f.at, f.found)
	}
	if l.n == 0 {
		return New(l.TieWidth()), nil
	}
	if l.joinedSize() <= joinedMax {
		l.join()
	} else {
		l.part()
	}
	return l, nil
}

// view returns a list whose columns are slices of the encoding b. It checks only L1 and L2, which say where the columns are, and
// returns a fault if one of them is violated.
func view(b []byte) (List, *fault) {
	switch {
	case len(b) < headerSize:
		return List{}, faultf("L1", 0, "%d bytes are less than a header", len(b))
	case b[0] != version:
		return List{}, faultf("L1", 0, "version %d", b[0])
	case !validTie(int(b[1])):
		return List{}, faultf("L1", 1, "tie width %d", b[1])
	}
	l := List{tieWidth: b[1], n: binary.LittleEndian.Uint16(b[2:])}
	n, rows := l.Len(), l.Len()*l.stride()
	if len(b)-headerSize < rows+n {
		return List{}, faultf("L2", headerSize, "%d entries in %d bytes", n, len(b)-headerSize)
	}
	texts := headerSize + rows
	l.order, l.texts = b[headerSize:texts:texts], b[texts:len(b)-n:len(b)]
	return l, nil
}
