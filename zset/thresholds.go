package zset

import "github.com/zrankdb/zrank/listpack"

// SetListpack gives the set other thresholds, as Redis CONFIG SET zset-max-listpack-entries and zset-max-listpack-value: a listpack
// that a new member comes to moves up if it would hold more than so many entries then, or if the member is longer than so many
// bytes. 0 means 0, unlike in Options: no entry, or the empty member only; what is beyond what a listpack can hold means as much
// as it can, and what is below 0 means 0. Nothing moves by the call itself, nor by an update of a member that is there: see Fit.
// A skiplist stays one until it is empty. O(1).
func (s *SetOf[S]) SetListpack(entries, member int) { s.setListpack(entries, member) }

// Listpack returns the thresholds, as SetListpack understands them. O(1).
func (o Options) Listpack() (entries, member int) {
	l := o.limits()
	return int(l.maxEntries), int(l.maxMember)
}

func (c *core) setListpack(entries, member int) {
	l := *c.limits()
	maxEntries, maxMember := uint16(min(max(entries, 0), MaxListpackEntries)), uint32(min(max(member, 0), MaxMember))
	if l.maxEntries == maxEntries && l.maxMember == maxMember {
		return
	}
	l.maxEntries, l.maxMember = maxEntries, maxMember
	if like := l.empty(); c.rest.shared == nil {
		c.rest = like
	} else {
		c.rest.limits, c.rest.shared = l, like
	}
}

// Fit gives the set the encoding that it would have if its members came one after the other now, as Redis does with what it reads
// from a file or stores as a result: a skiplist that fits in a listpack becomes one, and a listpack that is above the thresholds
// moves up. It must not be called between HoldPages and ReleasePages. O(n) for as many members as the thresholds allow in a
// listpack, O(1) for more.
func (s *SetOf[S]) Fit() {
	c := &s.core
	switch small := c.len() == 0 || c.allFit(); {
	case small && c.big() != nil:
		c.moveDown()
	case !small && c.big() == nil:
		c.moveUp()
	}
	c.changed()
}

// allFit reports whether a listpack may hold all members.
func (c *core) allFit() bool {
	fit := c.fits(c.len(), nil)
	if fit {
		c.ascend(0, c.len(), func(_ uint64, _, member []byte) bool {
			fit = c.fits(0, member)
			return fit
		})
	}
	return fit
}

// moveDown changes the encoding from skiplist to listpack.
func (c *core) moveDown() { *c = c.packed() }

// packed returns a listpack of the same entries, whatever the thresholds.
func (c *core) packed() core {
	to := c.emptyLike()
	l := listpack.New(int(c.limits().tieWidth))
	c.ascend(0, c.len(), func(key uint64, tie, member []byte) bool {
		l.Insert(key, tie, member)
		return true
	})
	to.keep(&l)
	return to
}
