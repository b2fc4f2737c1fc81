package zset

import "github.com/zrankdb/zrank/listpack"

// SetListpack changes the set's thresholds, as Redis CONFIG SET zset-max-listpack-entries and zset-max-listpack-value. From then on a
// listpack becomes a skiplist when a new member would make it hold more than the given number of entries, when the member is longer than
// the given number of bytes, or when all together have more than MaxListpackBytes. Unlike in Options, 0 means 0: no entry, or only the
// empty member. Values beyond what a listpack can hold mean its maximum; negative values mean 0. Neither the call itself nor an update of
// an existing member changes the encoding: see Fit. A skiplist stays one until it is empty. O(1).
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

// Fit gives the set the encoding that it would have if its members were added one by one now. Redis does so with a set that it reads
// from a file or stores as a result. A skiplist that fits in a listpack becomes one, and a listpack above the thresholds becomes a
// skiplist. Fit must not be called between HoldPages and ReleasePages. O(n) for as many members as the thresholds allow in a
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
	fit, bytes := c.fits(c.len(), 0, nil), 0
	var w walk
	for w.ascend(c, 0, c.len()); fit && w.next(); {
		_, _, member := w.entry()
		fit = c.fits(0, bytes, member)
		bytes += len(member)
	}
	return fit
}

// moveDown changes the encoding from skiplist to listpack.
func (c *core) moveDown() { *c = c.packed() }

// packed returns a listpack of the same entries, whatever the thresholds.
func (c *core) packed() core {
	to := c.emptyLike()
	l := listpack.New(int(c.limits().tieWidth))
	var w walk
	for w.ascend(c, 0, c.len()); w.next(); {
		l.Insert(w.entry())
	}
	to.keep(&l)
	return to
}
