package zset

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/internal/invariants"
)

// changed is called at the end of every change. Each encoding checks itself; what is left is what they must agree on.
func (c *core) changed() {
	if invariants.Enabled {
		if number, found := c.verify(); number != "" {
			invariants.Violated("zset", number, found, c)
		}
	}
}

// verify returns the number of the first invariant that does not hold and what was found instead. O(n), or O(1) in a set that
// is too big to be checked at all changes.
func (c *core) verify() (number, found string) {
	if c.len() > c.limits.full() {
		return "Z3", fmt.Sprintf("%d entries, at most %d wanted", c.len(), c.limits.full())
	}
	if c.big == nil {
		c.ascend(0, c.len(), func(_ uint64, _, member []byte) bool {
			if !c.fits(c.len(), member) {
				number, found = "Z1", fmt.Sprintf("a listpack of %d entries holds a member of %d bytes", c.len(), len(member))
			}
			return number == ""
		})
		return number, found
	}
	t, index := c.big.table, c.big.index
	if t.Len() != index.Len() {
		return "Z2", fmt.Sprintf("%d records, %d entries", t.Len(), index.Len())
	}
	if !invariants.Due(t.Len(), 1) {
		return "", ""
	}
	for at := index.At(0); at.Valid(); at.Next() {
		if ref, ok := t.Find(t.Member(at.Ref())); !ok || ref != at.Ref() {
			return "Z2", fmt.Sprintf("%q has record %#x, its entry %#x", t.Member(at.Ref()), ref, at.Ref())
		}
	}
	return c.verifyDistinct()
}

// verifyDistinct recounts the distinct scores.
func (c *core) verifyDistinct() (number, found string) {
	d := c.big.distinct
	if d == nil {
		return "", ""
	}
	holders := map[uint64]uint64{}
	c.ascend(0, c.len(), func(key uint64, _, _ []byte) bool { holders[key]++; return true })
	d.keys.ascend(0, d.keys.len(), func(key uint64, tie, _ []byte) bool {
		if n := binary.BigEndian.Uint64(tie); n != holders[key] {
			number, found = "Z4", fmt.Sprintf("key %#x has %d holders, not %d", key, holders[key], n)
		}
		delete(holders, key)
		return number == ""
	})
	if number == "" && len(holders) > 0 {
		return "Z4", fmt.Sprintf("%d keys are not counted", len(holders))
	}
	return number, found
}

// GoString says what the set holds in one line. O(1).
func (c *core) GoString() string {
	return fmt.Sprintf("zset{%s, %d entries, tie %d, %d bytes}", c.encoding(), c.len(), c.limits.tieWidth, c.size())
}
