package zset

import (
	"unsafe"

	"github.com/zrankdb/zrank/skiplist"
)

// SetOf is a sorted set. Make one with New, NewInt or a Builder; the zero value is of no use. Its reading methods are those of ViewOf.
type SetOf[S Score] struct {
	ViewOf[S]
}

// ViewOf is the reading half of a sorted set. The zero value is an empty one.
type ViewOf[S Score] struct {
	core
}

// The two kinds of sets. Set has Redis's scores; IntSet has exact ones.
type (
	Set     = SetOf[float64]
	View    = ViewOf[float64]
	IntSet  = SetOf[int64]
	IntView = ViewOf[int64]
)

// New returns an empty set, or the error of Options.Validate. O(1).
func New(o Options) (*Set, error) { return newOf[float64](o) }

// NewInt returns an empty set with int64 scores, or the error of Options.Validate. O(1).
func NewInt(o Options) (*IntSet, error) { return newOf[int64](o) }

func newOf[S Score](o Options) (*SetOf[S], error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return makeSet[S](o, skiplist.Options{}), nil
}

// makeSet is newOf for valid options; shape is for tests of hard cases.
func makeSet[S Score](o Options, shape skiplist.Options) *SetOf[S] {
	l := o.limits()
	l.integers = isInt[S]()
	if shape.LeafSize != 0 || shape.Height != nil {
		l.more().shape = shape
	}
	return &SetOf[S]{ViewOf[S]{core{rest: l.empty()}}}
}

// View returns the reading half. O(1).
func (s *SetOf[S]) View() *ViewOf[S] { return &s.ViewOf }

// As returns the same set with its keys read as scores of another kind. A key is 64 bits that order as the scores do. So code that
// stores sets of both kinds can use int64 for all of them, without loss: int64 scores keep their value, and a float64 score becomes a
// number that FloatOf converts back. Views and builders need only a conversion: (*IntView)(v).
//
// A set remembers the kind of score it was made for: see Integers. Through As, a set of float64 scores must be given only numbers that
// it has returned before. O(1).
//
// As uses unsafe to save memory: an interface in front of both kinds would take 16 more bytes in each of a million sets. The types
// differ only in the signatures of their methods; a test checks that.
func As[T, S Score](s *SetOf[S]) *SetOf[T] { return (*SetOf[T])(unsafe.Pointer(s)) }

// Integers reports whether the set was made for int64 scores, even if As shows it as another kind. O(1).
func (v *ViewOf[S]) Integers() bool { return v.limits().integers }

// Len returns the number of members, as Redis ZCARD. O(1).
func (v *ViewOf[S]) Len() int { return v.len() }

// TieWidth returns the width of the set's ties in bytes, 0 for none. O(1).
func (v *ViewOf[S]) TieWidth() int { return int(v.limits().tieWidth) }

// Encoding returns "listpack" or "skiplist", as Redis OBJECT ENCODING. O(1).
func (v *ViewOf[S]) Encoding() string { return v.encoding() }

// Size returns the bytes of memory that the set holds, as Redis MEMORY USAGE with SAMPLES 0: within 5 % of what the heap
// holds for it. O(1).
func (v *ViewOf[S]) Size() int { return v.size() }

// Layers returns how much of Size is the index in order of scores and how much the table of members; both are 0 in a listpack.
// O(1).
func (v *ViewOf[S]) Layers() (index, table int) { return v.layers() }

// Options returns the options that the set was made with, and the thresholds of the last SetListpack. Default thresholds are returned
// as 0. O(1).
func (v *ViewOf[S]) Options() Options {
	l := v.limits()
	o := Options{TieWidth: int(l.tieWidth), ScoreTie: int(l.scoreTie), DenseRanks: l.dense}
	o.MaxListpackEntries = thresholdOption(int(l.maxEntries), defaultListpackEntries)
	o.MaxListpackMember = thresholdOption(int(l.maxMember), defaultListpackMember)
	if r := l.rare; r != nil {
		o.Cap, o.Reserve, o.CapLowest = r.cap, r.reserve, r.lowest
	}
	return o
}

// thresholdOption returns the option that makes a threshold what it is.
func thresholdOption(n, usual int) int {
	switch n {
	case usual:
		return 0
	case 0:
		return -1
	}
	return n
}
