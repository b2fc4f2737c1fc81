package zset

import (
	"math"

	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset/internal/members"
)

// limits are Options with the defaults filled in, in the form that every set carries.
type limits struct {
	rare       *rare // nil in most sets
	maxMember  uint32
	maxEntries uint16
	tieWidth   uint8
	scoreTie   uint8
	dense      bool
	integers   bool // scores are int64
}

// full returns how many entries a set may hold.
func (l *limits) full() int {
	if l.rare == nil || l.rare.cap == 0 {
		return math.MaxInt
	}
	return l.rare.cap + min(l.rare.reserve, math.MaxInt-l.rare.cap)
}

// tieWidths is how many widths a tie, and its part of the score, may have.
const tieWidths = MaxTieWidth/8 + 1

// forEach has one T for each combination of tie width, width of ScoreTie, dense ranks or not, and int64 scores or not.
type forEach[T any] [tieWidths][tieWidths][2][2]T

// core is a sorted set of keys, which sets of all kinds of scores have in common. It takes 32 bytes; a small set takes only the block
// of its listpack besides.
type core struct {
	block []byte // the listpack's, as listpack.List.Blocks; nil while the set is empty or big
	rest  *rest  // nil only in the zero value of a View
}

// beforeImage is a before-image without the kind of its scores, and the encoding of the set that it shows: the entries of a set, less those
// that changed members have, with those that they had. A handle of it has the rank of the member.
type beforeImage struct {
	now *core // the set
	had core  // the entries that changed members had
	has core  // those that they have now
}

// rest is the state of a set outside of its block. Small sets with default state share one rest.
type rest struct {
	limits limits
	big    big
	rows   []byte // of a listpack too large for one block
	held   bool   // pages are being written: records stay where they are
	common bool   // many sets share this rest, so no set counts its size
	shared *rest  // the shared rest to which the set returns; nil in a shared rest, which must not be changed
}

// rare holds the options that few sets have.
type rare struct {
	cap, reserve int
	lowest       bool
	shape        skiplist.Options // for tests of hard cases
	image        *beforeImage     // in the view of a before-image; else nil
}

// more returns the rare limits for writing, and allocates them if necessary.
func (l *limits) more() *rare {
	if l.rare == nil {
		l.rare = &rare{}
	}
	return l.rare
}

// big is the encoding above the limits of a listpack: records found by member, and an index of them in order. The zero value
// means that the set is small.
type big struct {
	table *members.Table
	index *skiplist.List
}

// MaxTieWidth is the width of the widest tie, in bytes.
const MaxTieWidth = 40
