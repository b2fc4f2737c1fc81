package listpack

import "encoding/binary"

// Terminology, for whoever changes this package:
//
//	header  the first 4 bytes of a list
//	body    everything in an entry before its back length
//	text    the tie and the member of an entry, which stand side by side
//	place   where an entry belongs in the order
//	gap     the room made in the middle of the slice for a new entry
//
// doc.go draws the bytes. The invariants, which check.go verifies after every change and decode.go on every input:
//
//	L1  the header is whole, its version is 1 and its tie width is one of 0, 8, 16, 24, 32
//	L2  every entry lies inside the list; its member length is a shortest uvarint and at most MaxMember
//	L3  every back length is the length of its entry's body, in the fewest bytes
//	L4  every entry stands before the next: by key, then by text
//	L5  the count in the header is the number of entries, and nothing follows the last one
//	L6  no two entries have the same member
//
// Positions are byte offsets. The rules of a walk:
//
//  1. A walk over an unchanged list MUST see every entry once, in order.
//  2. Insert, Delete, Replace and Clear end every Pos and every Entry taken before them: they MUST NOT be used again.
//  3. A Pos given to a method MUST be one that this list returned since its last change. A wrong one MAY panic or MAY read
//     nonsense; it is not looked for, because that would cost as much as the walk.
const (
	version    = 1
	headerSize = 4
	keySize    = 8
)

const (
	// MaxEntries is the most entries a list can hold.
	MaxEntries = 1<<16 - 1
	// MaxMember is the longest member, in bytes, that a list can hold.
	MaxMember = 1 << 31
	// MaxTie is the widest tie, in bytes.
	MaxTie = 32
)

// List is an ordered list of entries. The zero value is an empty list without ties. A List that has been assigned to
// another variable shares its bytes with it; only one of the two may be used from then on.
type List struct {
	// b is the encoding, header included. nil stands for the empty list of tie width 0, so that a zero List works and an
	// empty one takes no memory. Only insert, delete and Clear change its length; Replace changes bytes in place.
	b []byte
}

// New returns an empty list whose ties are tieWidth bytes wide: 0, 8, 16, 24 or 32. It panics for any other width. O(1);
// it allocates unless the width is 0.
func New(tieWidth int) List {
	if !validTie(tieWidth) {
		panic("listpack: the tie width must be 0, 8, 16, 24 or 32")
	}
	if tieWidth == 0 {
		return List{}
	}
	return List{b: []byte{version, byte(tieWidth), 0, 0}}
}

func validTie(width int) bool { return width >= 0 && width <= MaxTie && width%8 == 0 }

// Bytes returns the encoding, which [Decode] reads. It aliases the list: it must not be changed and it is valid until the
// list's next change. Only for the zero value is it a copy, because there is nothing to alias. O(1).
func (l *List) Bytes() []byte {
	if l.b == nil {
		return []byte{version, 0, 0, 0}
	}
	return l.b[:len(l.b):len(l.b)]
}

// Len returns the number of entries. O(1).
func (l *List) Len() int {
	if l.b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint16(l.b[2:]))
}

// setLen writes the count; the header is there.
func (l *List) setLen(n int) { binary.LittleEndian.PutUint16(l.b[2:], uint16(n)) }

// TieWidth returns the width of every tie in bytes. O(1).
func (l *List) TieWidth() int {
	if l.b == nil {
		return 0
	}
	return int(l.b[1])
}

// Size returns the bytes of memory the list holds behind its slice header. O(1).
func (l *List) Size() int { return cap(l.b) }

// Clear removes every entry and lets go of the memory. The tie width stays. O(1).
func (l *List) Clear() {
	old := l.b
	*l = New(l.TieWidth())
	poison(old)
	l.check()
}
