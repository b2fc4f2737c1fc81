package listpack

// Terminology, for maintainers:
//
//	column   a slice with a part of every entry, in order: one column has the rows, the other the texts
//	row      the key and the tie of an entry, 8 bytes and the tie width
//	text     the member of an entry; a long member is between two long lengths
//	length   the byte with the length of a text; the lengths are at the end of the text column, in reverse order
//	place    where an entry belongs in the order
//	gap      the space in the middle of a column for a new entry
//	joined   of a list, with both columns in one block; the others are parted
//
// doc.go draws the bytes. The invariants, which check.go verifies after every change and decode.go on every input:
//
//	L1  the version is 2 and the tie width is one of 0, 8, 16, 24, 32, 40
//	L2  there are as many rows and as many lengths as the count says
//	L3  the texts fill their part of the column; a long text has the same length on both sides, longLen to MaxMember
//	L4  every entry stands before the next: by row, then by member
//	L5  the texts and the lengths do not overlap
//	L6  no two entries have the same member
//	L7  the columns of a joined list fill one block, with room for the count at its end
//
// The rules of a walk:
//
//  1. A walk over an unchanged list MUST see every entry once, in order.
//  2. Insert, Delete, Replace and Clear end every Pos and every Entry taken before them: they MUST NOT be used again.
//  3. A Pos given to a method MUST be one that this list returned since its last change. For another Pos a method MAY panic or MAY
//     return wrong data. Methods do not check this, because a check would cost as much as the walk.
const (
	version    = 2
	headerSize = 4
	keySize    = 8
)

const (
	// MaxEntries is the most entries a list can hold.
	MaxEntries = 1<<16 - 1
	// MaxMember is the longest member, in bytes, that a list can hold.
	MaxMember = 1 << 31
	// MaxTie is the widest tie, in bytes.
	MaxTie = 40
)

// List is an ordered list of entries. The zero value is an empty list without ties. A List that has been assigned to
// another variable shares its bytes with it; only one of the two may be used from then on.
type List struct {
	// order is the column of rows: n of them and nothing else. Insert and delete change its length; Replace moves rows. In a
	// joined list its capacity is the block's.
	order []byte
	// texts is the column of texts. Its length counts their bytes only. The lengths are the last n bytes of its capacity, the
	// first entry's last of all, and what is between is free: both parts grow into it, so adding an entry at the end moves
	// nothing.
	//
	//	0           len      cap-n                  cap
	//	+-----------+--------+-----------------------+
	//	| texts ->  |  free  |  <- lengths           |
	//	+-----------+--------+-----------------------+
	texts []byte
	// n is the number of entries; tieWidth, the width of their ties, is set once. An empty list has no byte that could hold the
	// width, and the word that it therefore takes has room for the count, which would be a division otherwise.
	n        uint16
	tieWidth uint8
	// joined says that the texts begin where the rows end, in one block. See grow.go.
	joined bool
}

// New returns an empty list whose ties are tieWidth bytes wide: 0, 8, … 40. It panics for any other width. O(1),
// without allocating.
func New(tieWidth int) List {
	if !validTie(tieWidth) {
		panic("listpack: the tie width must be 0, 8, 16, 24, 32 or 40")
	}
	return List{tieWidth: uint8(tieWidth)}
}

func validTie(width int) bool { return width >= 0 && width <= MaxTie && width%8 == 0 }

// Len returns the number of entries. O(1).
func (l *List) Len() int { return int(l.n) }

// TieWidth returns the width of every tie in bytes. O(1).
func (l *List) TieWidth() int { return int(l.tieWidth) }

// Size returns the bytes of memory the list holds behind its two slice headers: whole blocks of the allocator. O(1).
func (l *List) Size() int {
	if l.joined {
		return cap(l.order)
	}
	return cap(l.order) + cap(l.texts)
}
