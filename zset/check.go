package zset

import (
	"fmt"

	"github.com/zrankdb/zrank/internal/invariants"
)

// changed is called at the end of every change. Each encoding checks itself; what is left is what they must agree on.
func (s *Set) changed() {
	if invariants.Enabled {
		if number, found := s.verify(); number != "" {
			invariants.Violated("zset", number, found, s)
		}
	}
}

// verify returns the number of the first invariant that does not hold and what was found instead. O(n), or O(1) in a set that
// is too big to be checked at all changes.
func (v *View) verify() (number, found string) {
	if v.big == nil {
		for member := range v.Range(0, v.Len()) {
			if !v.fits(v.Len(), member) {
				return "Z1", fmt.Sprintf("a listpack of %d entries holds a member of %d bytes", v.Len(), len(member))
			}
		}
		return "", ""
	}
	t, index := v.big.table, v.big.index
	if t.Len() != index.Len() {
		return "Z2", fmt.Sprintf("%d records, %d entries", t.Len(), index.Len())
	}
	if !invariants.Due(t.Len(), 1) {
		return "", ""
	}
	for c := index.At(0); c.Valid(); c.Next() {
		if ref, ok := t.Find(t.Member(c.Ref())); !ok || ref != c.Ref() {
			return "Z2", fmt.Sprintf("the index holds record %#x, %q is found at %#x %v", c.Ref(), t.Member(c.Ref()), ref, ok)
		}
	}
	return "", ""
}

// GoString says what the set holds in one line.
func (v *View) GoString() string {
	return fmt.Sprintf("zset.Set{%s, %d entries, tie %d, %d bytes}", v.Encoding(), v.Len(), v.TieWidth(), v.Size())
}
