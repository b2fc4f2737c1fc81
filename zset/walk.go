package zset

import (
	"github.com/zrankdb/zrank/listpack"
	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset/internal/members"
)

// walk visits the entries of an interval of ranks, in either direction. The set must not change meanwhile.
//
//	var w walk
//	for w.ascend(c, lo, hi); w.next(); {
//		key, tie, member := w.entry()
//	}
//
// Of a skiplist it collects the refs of a batch of entries from the leaves first, then touches all their records, so that the cache misses
// overlap, and then reads one record at each step. It stores no pointers at a step, so that a running collector costs nothing.
type walk struct {
	left int  // entries that are not collected yet; in a listpack, not visited yet
	back bool // from the highest rank to the lowest

	table *members.Table // nil in a listpack
	width int            // of the tie
	at    skiplist.Cursor
	i, n  int // the walk is at the i-th of the n refs in batch
	batch [walkBatch]uint32

	image     *merged // of a before-image; else nil
	list      listpack.List
	pos, then listpack.Pos // of the entry that the walk is at, and of the next one
}

const (
	// walkBatch is the number of entries whose cache misses overlap.
	walkBatch = 128
	// firstBatch is the size of the first batch of a longer walk, which may end early.
	firstBatch = 32
)

// ascend begins a walk from rank lo up to hi, which must lie in [0, Len]. O(log n); in a listpack O(n).
func (w *walk) ascend(c *core, lo, hi int) { w.begin(c, lo, hi, false) }

// descend begins a walk from rank hi-1 down to lo. O(log n); in a listpack O(n).
func (w *walk) descend(c *core, lo, hi int) { w.begin(c, lo, hi, true) }

func (w *walk) begin(c *core, lo, hi int, back bool) {
	w.left, w.back = max(hi-lo, 0), back
	first := lo
	if back {
		first = hi - 1
	}
	if b := c.big(); b != nil {
		w.table, w.width, w.at = b.table, int(c.limits().tieWidth), b.index.At(first)
		return
	}
	if b := c.image(); b != nil {
		if back {
			first = hi
		}
		w.image = b.from(first, back)
		return
	}
	if c.small(&w.list); w.left > 0 {
		w.then = w.list.At(first)
	}
}

// next goes to the next entry; false after the last. O(1) amortized.
func (w *walk) next() bool {
	w.i++
	return w.i < w.n || w.more()
}

// entry returns the entry that the walk is at. Tie and member alias the set. O(1).
func (w *walk) entry() (key uint64, tie, member []byte) {
	if w.table == nil {
		if w.image != nil {
			return w.image.entry()
		}
		return w.list.Entry(w.pos)
	}
	key, text := w.table.Entry(w.batch[w.i&(walkBatch-1)])
	return key, text[:w.width:w.width], text[w.width:]
}

// more is next where no entry is collected.
func (w *walk) more() bool {
	switch {
	case w.left == 0:
		return false
	case w.table == nil:
		w.step()
	default:
		return w.collect()
	}
	return true
}

// collect collects the next entries of a skiplist and goes to the first of them. It returns false if the index has no more, which is the
// case only in a damaged set.
func (w *walk) collect() bool {
	refs := w.batch[:min(w.left, walkBatch)]
	if w.left > walkBatch && w.n == 0 {
		refs = refs[:firstBatch]
	}
	n := 0
	if w.back {
		n = w.at.CollectBack(refs)
	} else {
		n = w.at.Collect(refs)
	}
	w.left -= n
	if n < len(refs) {
		w.left = 0
	}
	w.table.Touch(refs[:n])
	w.i, w.n = 0, n
	return n > 0
}

// step goes to the next entry of a listpack or of a before-image.
func (w *walk) step() {
	w.left--
	w.pos = w.then
	switch {
	case w.image != nil:
		w.image.next()
	case w.left == 0:
	case w.back:
		w.then = w.list.Prev(w.pos)
	default:
		w.then = w.list.Next(w.pos)
	}
}

// merged walks the entries of an image: two walks, merged.
type merged struct {
	b        *beforeImage
	back     bool
	now, had head
	at       *head // of the entry that the walk is at
}

// head is a walk, and the entry that it is at.
type head struct {
	walk
	key         uint64
	tie, member []byte
	ok          bool
}

// from returns a walk from a rank to the end, or with back from the entry before it to the beginning.
func (b *beforeImage) from(rank int, back bool) *merged {
	m := &merged{b: b, back: back}
	now, had := b.split(rank)
	if back {
		m.now.descend(b.now, 0, now)
		m.had.descend(&b.had, 0, had)
	} else {
		m.now.ascend(b.now, now, b.now.len())
		m.had.ascend(&b.had, had, b.had.len())
	}
	m.stepNow()
	m.had.step()
	return m
}

// step goes to the next entry.
func (h *head) step() {
	if h.ok = h.walk.next(); h.ok {
		h.key, h.tie, h.member = h.walk.entry()
	}
}

// stepNow goes to the next entry of the set that a change has not brought.
func (m *merged) stepNow() {
	for m.now.step(); m.now.ok && m.b.has.has(m.now.member); m.now.step() {
	}
}

// next goes to the next entry, which must exist.
func (m *merged) next() {
	switch m.at {
	case &m.now:
		m.stepNow()
	case &m.had:
		m.had.step()
	}
	m.at = &m.now
	if !m.now.ok || m.had.ok && m.had.isBefore(&m.now) != m.back {
		m.at = &m.had
	}
}

func (m *merged) entry() (key uint64, tie, member []byte) { return m.at.key, m.at.tie, m.at.member }

func (h *head) isBefore(other *head) bool {
	return isBefore(h.key, h.tie, h.member, other.key, other.tie, other.member)
}
