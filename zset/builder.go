package zset

import "bytes"

// BuilderOf builds a set from entries in any order: it stores them by member and sorts them once, at the end. That costs a fraction of
// adding them to a set. Entries that are added in order are not sorted at all. Make one with NewBuilder or NewIntBuilder.
type BuilderOf[S Score] struct {
	core     core
	refs     []uint32 // in the order of Add; used when the core is big
	unsorted bool     // refs are not in the order of the set
	walk     bool     // refs are not stored; build reads them from the table
	workers  int      // goroutines that sort the entries
}

// The two kinds of builders.
type (
	Builder    = BuilderOf[float64]
	IntBuilder = BuilderOf[int64]
)

// NewBuilder returns a builder for a set with float64 scores, or the error of Options.Validate. O(1).
func NewBuilder(o Options) (*Builder, error) { return newBuilder[float64](o) }

// NewIntBuilder returns a builder for a set with int64 scores, or the error of Options.Validate. O(1).
func NewIntBuilder(o Options) (*IntBuilder, error) { return newBuilder[int64](o) }

func newBuilder[S Score](o Options) (*BuilderOf[S], error) {
	s, err := newOf[S](o)
	if err != nil {
		return nil, err
	}
	return builderLike(&s.ViewOf), nil
}

// builderLike makes a builder for a set with the options of another.
func builderLike[S Score](v *ViewOf[S]) *BuilderOf[S] { return &BuilderOf[S]{core: v.emptyLike()} }

// Len returns the number of members so far. O(1).
func (b *BuilderOf[S]) Len() int { return b.core.len() }

// Add gives a member a score; the last one given counts. O(1). Errors: ErrNaN, ErrMemberTooLong, ErrFull.
func (b *BuilderOf[S]) Add(member []byte, score S) error {
	return b.AddTied(member, zeros[:b.core.limits().tieWidth], score)
}

// AddTied is Add with a tie. O(1). Errors: those of Add, ErrTieWidth.
func (b *BuilderOf[S]) AddTied(member, tie []byte, score S) error {
	if isNaN(score) {
		return ErrNaN
	}
	if len(tie) != int(b.core.limits().tieWidth) {
		return ErrTieWidth
	}
	return b.put(keyOf(score), tie, member)
}

// LoadPage adds the entries of a page that AppendPage wrote. O(page). Errors: ErrCorruptPage, wrapped with what is wrong;
// entries before the damage may have been added.
func (b *BuilderOf[S]) LoadPage(page []byte) error { return b.core.readPage(page, b.put) }

// Set returns the set and leaves the builder empty. O(n log n), or O(n) if the entries came in their order.
func (b *BuilderOf[S]) Set() *SetOf[S] {
	c := &b.core
	c.reset()
	if c.big() != nil {
		b.build()
	}
	c.evict()
	s := &SetOf[S]{ViewOf[S]{*c}}
	s.changed()
	*b = *builderLike(&s.ViewOf)
	return s
}

// put adds an entry or changes an existing one, as core.put does, but without an index.
func (b *BuilderOf[S]) put(key uint64, tie, member []byte) error {
	c := &b.core
	if len(member) > MaxMember {
		return ErrMemberTooLong
	}
	h, ok := c.find(member)
	switch {
	case c.big() == nil && ok:
		c.move(h, key, tie)
		return nil
	case c.big() == nil && c.fits(c.len()+1, len(c.block), member):
		_, err := c.insert(key, tie, member)
		return err
	case c.big() == nil:
		b.refs = c.loosen()
	case ok:
		c.big().table.SetKey(h.ref(), key)
		c.big().table.SetTie(h.ref(), tie)
		b.unsorted = true
		return nil
	}
	if c.big().table.Full() {
		return ErrFull
	}
	b.append(c.big().table.Add(key, tie, member))
	return nil
}

// append adds the ref of a new record, and notes whether refs are still in order.
func (b *BuilderOf[S]) append(ref uint32) {
	if b.walk {
		return
	}
	if n := len(b.refs); !b.unsorted && n > 0 {
		b.unsorted = b.core.big().compare(b.refs[n-1], ref) > 0
	}
	b.refs = append(b.refs, ref)
}

// compare orders two records.
func (b *big) compare(x, y uint32) int {
	if kx, ky := b.table.Key(x), b.table.Key(y); kx != ky {
		if kx < ky {
			return -1
		}
		return 1
	}
	return bytes.Compare(b.table.Text(x), b.table.Text(y))
}

// build sorts all records if necessary, and builds the index.
func (b *BuilderOf[S]) build() {
	big := b.core.big()
	if b.walk || b.unsorted {
		big.index.BuildFrom(big.table.InOrder(b.workers))
	} else {
		big.index.Build(b.refs)
	}
}
