package ranking

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Layout says in which parts the members of a ranking are. While a part is split or merged, a member whose part differs among From and among To parts
// is in either of the two: see L1.
//
//   - L1: a member is in the part of its address among To parts, or in that among From parts, and in one only.
//   - L2: From and To differ by one at most, and are 1 to Max.
type Layout struct{ From, To int }

// Steady returns the layout of n parts none of which is split or merged.
func Steady(n int) Layout { return Layout{n, n} }

// IsSteady reports whether no part is split or merged.
func (l Layout) IsSteady() bool { return l.From == l.To }

// Sets returns the number of sets that may have members.
func (l Layout) Sets() int { return max(l.From, l.To) }

// Homes returns the part that a member is put into, and the one that it may still be in: the same if it is in no other. O(length).
func (l Layout) Homes(member []byte) (home, old int) { return l.homes(PartHash(member)) }

// homes is Homes for a member with a hash.
func (l Layout) homes(hash uint64) (home, old int) {
	return PartAddress(hash, l.To), PartAddress(hash, l.From)
}

// Move returns the parts between which members move until the layout is steady.
func (l Layout) Move() (from, to int) {
	last := l.Sets() - 1
	other := PartAddress(uint64(last), last)
	if l.To > l.From {
		return other, last
	}
	return last, other
}

// Done returns the layout when all members have moved.
func (l Layout) Done() Layout { return Steady(l.To) }

// IsFull reports whether a part with a number of members is larger than its share of a ranking that should be split. O(1).
func (l Layout) IsFull(part, members, limit int) bool {
	level := bits.Len(uint(l.To - 1))
	if half := 1 << level >> 1; part < half && part+half >= l.To {
		level--
	}
	return l.To < MaxParts && members<<level > limit*l.To
}

// Next returns the layout that follows for a ranking with a number of members, whose parts should have at most limit members on average. ok is false if
// it stays as it is. A split follows above limit members for each part; a merge, when each of the parts that are left would have less than half of that.
func (l Layout) Next(members, limit int) (next Layout, ok bool) {
	switch n := l.To; {
	case members > n*limit && n < MaxParts:
		return Layout{n, n + 1}, true
	case 2*members < (n-1)*limit:
		return Layout{n, n - 1}, true
	}
	return l, false
}

// For returns the steady layout of a ranking that is made with a number of members.
func LayoutFor(members, limit int) Layout {
	return Steady(min(max((members+limit-1)/limit, 1), MaxParts))
}

// maxStep is the largest result of Step.
const maxStep = 64

// Step returns the number of entries that one step of a split or a merge looks at, for parts of at most limit members on average.
func PartStep(limit int) int { return min(max(limit/8, 1), maxStep) }

// String returns the stored form of the layout: FROM, a space, and TO.
func (l Layout) String() string { return strconv.Itoa(l.From) + " " + strconv.Itoa(l.To) }

// Parse is the inverse of String.
func ParseLayout(text string) (l Layout, err error) {
	from, to, _ := strings.Cut(text, " ")
	if l.From, err = strconv.Atoi(from); err == nil {
		l.To, err = strconv.Atoi(to)
	}
	if err != nil || l.String() != text || min(l.From, l.To) < 1 || l.Sets() > MaxParts || max(l.From-l.To, l.To-l.From) > 1 {
		return Layout{}, fmt.Errorf("layout %q of parts", text)
	}
	return l, nil
}
