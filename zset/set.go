package zset

import (
	"math"

	"github.com/zrankdb/zrank/listpack"
	"github.com/zrankdb/zrank/skiplist"
)

// Set is a sorted set. Make one with New. Its reading methods are those of View.
type Set struct {
	View
}

// View is the reading half of a Set.
type View struct {
	small  listpack.List // used while big is nil
	big    *big
	limits limits
	shape  skiplist.Options // for tests of hard cases
}

// New returns an empty set, or the error of Options.Validate.
func New(o Options) (*Set, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	return newSet(o.limits(), skiplist.Options{}), nil
}

func newSet(l limits, shape skiplist.Options) *Set {
	return &Set{View{limits: l, shape: shape, small: listpack.New(int(l.tieWidth))}}
}

// Add gives a member a score, as Redis ZADD, and reports whether the member is new. In a set with ties a new member gets a
// tie of zeros and an old one keeps its own. O(log n). Errors: ErrNaN, ErrMemberTooLong, ErrFull.
func (s *Set) Add(member []byte, score float64) (added bool, err error) {
	return s.put(member, nil, score, false)
}

// AddTied is Add with a tie. Errors: those of Add, ErrTieWidth.
func (s *Set) AddTied(member, tie []byte, score float64) (added bool, err error) {
	if len(tie) != s.TieWidth() {
		return false, ErrTieWidth
	}
	return s.put(member, tie, score, true)
}

var zeros [MaxTieWidth]byte

// put is both forms of Add.
func (s *Set) put(member, tie []byte, score float64, tied bool) (added bool, err error) {
	if math.IsNaN(score) {
		return false, ErrNaN
	}
	if len(member) > MaxMember {
		return false, ErrMemberTooLong
	}
	key := keyOf(score)
	h, ok := s.find(member)
	var old uint64
	oldTie := zeros[:s.TieWidth()]
	if ok {
		old, oldTie = s.record(h)
	}
	if !tied {
		tie = oldTie
	}
	var own [MaxTieWidth]byte // tie may alias the set, which is about to move
	tie = own[:copy(own[:], tie)]
	if !ok {
		err = s.insert(key, tie, member)
		s.changed()
		return err == nil, err
	}
	if key != old || string(tie) != string(oldTie) {
		s.move(h, key, tie)
		s.changed()
	}
	return false, nil
}

// IncrBy adds delta to a member's score, or gives a new member the score delta, as Redis ZINCRBY, and returns the new
// score. A tie stays as it is. O(log n). Errors: ErrNaN if delta is, or if an infinity meets its opposite; those of Add.
func (s *Set) IncrBy(member []byte, delta float64) (score float64, err error) {
	old, _ := s.Score(member)
	score = old + delta
	if _, err = s.Add(member, score); err != nil {
		return old, err
	}
	return score + 0, nil
}

// Remove deletes a member, as Redis ZREM, and reports whether it was there. O(log n).
func (s *Set) Remove(member []byte) bool {
	h, ok := s.find(member)
	if ok {
		s.delete(h)
		s.changed()
	}
	return ok
}

// PopMin removes up to n entries with the lowest scores, as Redis ZPOPMIN, and appends copies of them to dst, lowest first.
// O(n log Len).
func (s *Set) PopMin(dst []Entry, n int) []Entry {
	start := len(dst)
	dst = s.Append(dst, 0, n)
	return s.drop(dst, start)
}

// PopMax removes up to n entries with the highest scores, as Redis ZPOPMAX, and appends copies of them to dst, highest
// first. O(n log Len).
func (s *Set) PopMax(dst []Entry, n int) []Entry {
	start := len(dst)
	lo, hi := s.clamp(s.Len()-max(n, 0), s.Len())
	c := copier{left: hi - lo}
	s.descend(lo, hi, func(key uint64, tie, member []byte) bool {
		dst = append(dst, c.entry(key, tie, member))
		return true
	})
	return s.drop(dst, start)
}

// drop removes the members of dst from an index on.
func (s *Set) drop(dst []Entry, start int) []Entry {
	for _, e := range dst[start:] {
		s.Remove(e.Member)
	}
	return dst
}
