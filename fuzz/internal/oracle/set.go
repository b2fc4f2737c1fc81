package oracle

import (
	"iter"
	"math/big"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/model"
	"github.com/zrankdb/zrank/zset"
)

// Set gives a set of internal/model the methods of an apply.SetOf, each as plain as it can be.
type Set[S zset.Score] struct {
	m        *model.SetOf[S]
	tieWidth int
}

// NewSet returns an empty set whose ties have the given width.
func NewSet[S zset.Score](tieWidth int) *Set[S] {
	return &Set[S]{model.Of[S](), tieWidth}
}

// clone returns a copy that may be changed.
func (o *Set[S]) clone() *Set[S] { return &Set[S]{o.m.Clone(), o.tieWidth} }

// Len returns the number of members.
func (o *Set[S]) Len() int { return o.m.Len() }

// Get returns the score and the tie of a member. O(1).
func (o *Set[S]) Get(member []byte) (score S, tie []byte, ok bool) {
	e, ok := o.m.Get(string(member))
	return e.Score, []byte(e.Tie), ok
}

// Rank returns the rank of a member, from 0. O(n).
func (o *Set[S]) Rank(member []byte) (int, bool) { return o.m.Rank(string(member)) }

// RevRank returns the rank of a member from the highest score, from 0. O(n).
func (o *Set[S]) RevRank(member []byte) (int, bool) {
	rank, ok := o.m.Rank(string(member))
	if !ok {
		return 0, false
	}
	return o.m.Len() - 1 - rank, true
}

// Range walks the ranks [lo, hi).
func (o *Set[S]) Range(lo, hi int) iter.Seq2[[]byte, S] {
	return func(yield func([]byte, S) bool) {
		for _, e := range o.m.Range(lo, hi) {
			if !yield([]byte(e.Member), e.Score) {
				return
			}
		}
	}
}

// RevRange walks the reverse ranks [lo, hi).
func (o *Set[S]) RevRange(lo, hi int) iter.Seq2[[]byte, S] {
	return func(yield func([]byte, S) bool) {
		all := o.m.All()
		slices.Reverse(all)
		for i, e := range all {
			if i >= lo && i < hi && !yield([]byte(e.Member), e.Score) {
				return
			}
		}
	}
}

// Append appends the entries with ranks [lo, hi) to dst.
func (o *Set[S]) Append(dst []zset.EntryOf[S], lo, hi int) []zset.EntryOf[S] {
	for _, e := range o.m.Range(lo, hi) {
		dst = append(dst, zset.EntryOf[S]{Member: []byte(e.Member), Score: e.Score, Tie: []byte(e.Tie)})
	}
	return dst
}

// ScoreInterval returns the ranks [lo, hi) of the scores between two bounds. O(n).
func (o *Set[S]) ScoreInterval(low, high zset.BoundOf[S]) (lo, hi int) {
	if isNaN(low.Score) || isNaN(high.Score) {
		return 0, 0
	}
	lo = o.m.CountBefore(func(e model.EntryOf[S]) bool { return e.Score < low.Score || low.Exclusive && e.Score == low.Score })
	hi = o.m.CountBefore(func(e model.EntryOf[S]) bool { return e.Score < high.Score || !high.Exclusive && e.Score == high.Score })
	return lo, max(lo, hi)
}

// MemberInterval returns the ranks [lo, hi) of a walk between two members. O(n).
func (o *Set[S]) MemberInterval(low, high *zset.MemberBound) (lo, hi int) {
	return o.MemberPage(low, high, 0, -1)
}

// MemberPage returns the ranks that an offset and a count leave of MemberInterval. O(n).
func (o *Set[S]) MemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int) {
	return o.m.MemberPage(isBefore(low), isBeyond(high), offset, count)
}

// RevMemberPage is MemberPage from the other end, in reverse ranks. O(n).
func (o *Set[S]) RevMemberPage(low, high *zset.MemberBound, offset, count int) (lo, hi int) {
	return o.m.RevMemberPage(isBefore(low), isBeyond(high), offset, count)
}

// isBefore returns a function that reports whether a member is before a lower bound.
func isBefore(b *zset.MemberBound) func(member string) bool {
	return func(m string) bool {
		return b != nil && (m < string(b.Member) || b.Exclusive && m == string(b.Member))
	}
}

// isBeyond returns a function that reports whether a member is beyond an upper bound.
func isBeyond(b *zset.MemberBound) func(member string) bool {
	return func(m string) bool {
		return b != nil && (m > string(b.Member) || b.Exclusive && m == string(b.Member))
	}
}

// Add gives a member a score; its tie stays. Errors: zset.ErrNaN.
func (o *Set[S]) Add(member []byte, score S) (added bool, err error) {
	e, ok := o.m.Get(string(member))
	if !ok {
		e.Tie = string(make([]byte, o.tieWidth))
	}
	return o.AddTied(member, []byte(e.Tie), score)
}

// AddTied gives a member a score and a tie. Errors: zset.ErrNaN, zset.ErrTieWidth.
func (o *Set[S]) AddTied(member, tie []byte, score S) (added bool, err error) {
	if len(tie) != o.tieWidth {
		return false, zset.ErrTieWidth
	}
	if isNaN(score) {
		return false, zset.ErrNaN
	}
	if score == 0 {
		score = 0 // not -0
	}
	return o.m.Put(model.EntryOf[S]{Score: score, Tie: string(tie), Member: string(member)}), nil
}

// IncrBy adds to the score of a member. Errors: zset.ErrNaN, zset.ErrOverflow.
func (o *Set[S]) IncrBy(member []byte, delta S) (score S, err error) {
	e, _ := o.m.Get(string(member))
	sum := e.Score + delta
	if overflows(e.Score, delta) {
		return 0, zset.ErrOverflow
	}
	if _, err := o.Add(member, sum); err != nil {
		return 0, err
	}
	e, _ = o.m.Get(string(member))
	return e.Score, nil
}

func isNaN[S zset.Score](f S) bool { return f != f }

// overflows reports whether the sum of two int64 overflows; it is false for float64.
func overflows[S zset.Score](a, b S) bool {
	x, ok := any(a).(int64)
	y, _ := any(b).(int64)
	sum := new(big.Int).Add(big.NewInt(x), big.NewInt(y))
	return ok && !sum.IsInt64()
}

// Remove removes a member.
func (o *Set[S]) Remove(member []byte) (removed bool, err error) {
	return o.m.Remove(string(member)), nil
}

// PopMin removes up to n entries with the lowest scores and returns them.
func (o *Set[S]) PopMin(n int) ([]zset.EntryOf[S], error) { return o.pop(o.Append(nil, 0, n)) }

// PopMax removes up to n entries with the highest scores and returns them, the highest first.
func (o *Set[S]) PopMax(n int) ([]zset.EntryOf[S], error) {
	entries := o.Append(nil, o.Len()-max(n, 0), o.Len())
	slices.Reverse(entries)
	return o.pop(entries)
}

func (o *Set[S]) pop(entries []zset.EntryOf[S]) ([]zset.EntryOf[S], error) {
	for _, e := range entries {
		o.m.Remove(string(e.Member))
	}
	return entries, nil
}

// AddIf is Add under a condition. Errors: those of Add and of the condition.
func (o *Set[S]) AddIf(member []byte, score S, c zset.Condition) (zset.Outcome, error) {
	if err := c.Validate(); err != nil {
		return zset.Unchanged, err
	}
	e, exists := o.m.Get(string(member))
	switch {
	case isNaN(score):
		return zset.Unchanged, zset.ErrNaN
	case !holds(c, exists, e.Score, score), exists && e.Score == score:
		return zset.Unchanged, nil
	}
	if added, err := o.Add(member, score); added || err != nil {
		return zset.Added, err
	}
	return zset.Updated, nil
}

// holds reports whether a member may get a score under a condition.
func holds[S zset.Score](c zset.Condition, exists bool, old, score S) bool {
	switch {
	case !exists:
		return c&zset.XX == 0
	case c&zset.NX != 0, c&zset.GT != 0 && score <= old, c&zset.LT != 0 && score >= old:
		return false
	}
	return true
}

// IncrByIf is IncrBy under a condition. Errors: those of IncrBy and of the condition.
func (o *Set[S]) IncrByIf(member []byte, delta S, c zset.Condition) (score S, ok bool, err error) {
	if err := c.Validate(); err != nil {
		return 0, false, err
	}
	e, exists := o.m.Get(string(member))
	sum := e.Score + delta
	switch {
	case isNaN(delta):
		return 0, false, zset.ErrNaN
	case exists && c&zset.NX != 0:
		return e.Score, false, nil
	case isNaN(sum):
		return 0, false, zset.ErrNaN
	case overflows(e.Score, delta):
		return 0, false, zset.ErrOverflow
	case !holds(c, exists, e.Score, sum):
		return e.Score, false, nil
	}
	score, err = o.IncrBy(member, delta)
	return score, err == nil, err
}

// RemoveRange removes the entries with ranks [lo, hi).
func (o *Set[S]) RemoveRange(lo, hi int) (removed int, err error) {
	entries, err := o.pop(o.Append(nil, lo, hi))
	return len(entries), err
}

// ExpectScore returns engine.ErrConflict unless the member has the score.
func (o *Set[S]) ExpectScore(member []byte, score S) error {
	if e, ok := o.m.Get(string(member)); !ok || e.Score != score {
		return engine.ErrConflict
	}
	return nil
}

// ExpectAbsent returns engine.ErrConflict if the set has the member.
func (o *Set[S]) ExpectAbsent(member []byte) error {
	if _, ok := o.m.Get(string(member)); ok {
		return engine.ErrConflict
	}
	return nil
}
