package zset

import (
	"github.com/zrankdb/zrank/listpack"
	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset/internal/members"
)

// insert adds a member that the set does not hold, and returns its rank. If a listpack may not hold the member, the set becomes a skiplist
// first.
func (c *core) insert(key uint64, tie, member []byte) (rank int, err error) {
	if c.big() == nil {
		var l listpack.List
		if c.small(&l); c.fits(l.Len()+1, len(c.block), member) {
			var buf [defaultListpackMember]byte // copy member: it may alias the listpack, whose bytes Insert moves
			rank = l.Insert(key, tie, append(buf[:0], member...))
			c.keep(&l)
			return rank, nil
		}
		c.moveUp()
	}
	b := c.big()
	if b.table.Full() {
		return 0, ErrFull
	}
	return b.index.Insert(key, b.table.Add(key, tie, member)), nil
}

// move changes the key and tie of a member that find has returned, and returns its ranks before and after.
func (c *core) move(h handle, key uint64, tie []byte) (before, after int) {
	b := c.big()
	if b == nil {
		var l listpack.List
		c.small(&l)
		return h.rank, l.Replace(listpack.Pos(h.at), key, tie) // inside the block, so keep is not necessary
	}
	t, ref, old := b.table, h.ref(), h.key
	var buf [128]byte
	var text []byte // nil if the tie does not change
	if string(tie) != string(t.Tie(ref)) {
		text = append(append(buf[:0], tie...), t.Member(ref)...)
	}
	before, after, _ = b.index.Update(old, key, ref, text, func() {
		t.SetKey(ref, key)
		t.SetTie(ref, tie)
	})
	return before, after
}

// delete removes a member that find has returned.
func (c *core) delete(h handle) {
	b := c.big()
	if b == nil {
		var l listpack.List
		c.small(&l)
		l.Delete(listpack.Pos(h.at))
		c.keep(&l)
		return
	}
	b.index.Delete(h.key, h.ref())
	b.table.Remove(h.ref())
	c.reset()
	c.shrink()
}

// movesPerRemoval is how many records a removal moves at most, to free memory. A slab is freed only when it is less than 3/4 full, so
// three moves for each removal would be enough.
const movesPerRemoval = 4

// shrink moves a few records after a removal, to free memory.
func (c *core) shrink() {
	if b := c.big(); b != nil && !c.rest.held {
		b.table.Shrink(movesPerRemoval, func(old, ref uint32) { b.index.Replace(b.table.Key(ref), old, ref) })
	}
}

// reset turns an empty skiplist into an empty listpack: in Redis, the key would not exist any more.
func (c *core) reset() {
	if c.len() == 0 {
		c.removeAll()
	}
}

// removeAll empties the set. O(1): what it held is left to the garbage collector.
func (c *core) removeAll() {
	c.block = nil
	if c.rest.shared != nil {
		c.rest.big, c.rest.rows = big{}, nil
		c.share()
	}
}

// emptyLike returns an empty set with the same options.
func (c *core) emptyLike() core {
	switch b := c.image(); {
	case b != nil:
		return b.now.emptyLike()
	case c.rest == nil:
		return core{rest: &defaults[0][0][0][0]}
	case c.rest.shared == nil:
		return core{rest: c.rest}
	default:
		return core{rest: c.rest.shared}
	}
}

// removeChunk is how many entries removeRange takes out at a time.
const removeChunk = 1024

// removeRange removes the entries with ranks in [lo, hi), which must lie in [0, Len]. O(log n + hi - lo).
func (c *core) removeRange(lo, hi int) {
	if lo == 0 && hi == c.len() {
		c.removeAll()
		return
	}
	if c.big() == nil {
		var l listpack.List
		c.small(&l)
		for p := l.At(lo); lo < hi; lo++ {
			l.Delete(p)
		}
		c.keep(&l)
		return
	}
	var refs [removeChunk]uint32
	for ; lo < hi; hi -= min(hi-lo, removeChunk) {
		c.removeChunk(refs[:min(hi-lo, removeChunk)], lo)
	}
}

// removeChunk removes len(refs) entries, from rank lo on; refs is a buffer. It removes all of them from the index and then from the
// table before it calls shrink, because shrink may move records.
func (c *core) removeChunk(refs []uint32, lo int) {
	b := c.big()
	at := b.index.At(lo)
	refs = refs[:at.Collect(refs)]
	b.table.Touch(refs)
	b.index.DeleteRange(lo, lo+len(refs))
	for _, ref := range refs {
		b.table.Remove(ref)
	}
	for range refs {
		c.shrink()
	}
}

// fits reports whether a listpack of n entries may hold the member beside others of so many bytes.
func (c *core) fits(n, bytes int, member []byte) bool {
	return n <= int(c.limits().maxEntries) && len(member) <= int(c.limits().maxMember) && bytes+len(member) <= MaxListpackBytes
}

// moveUp changes the encoding from listpack to skiplist. O(n), where Options bound n.
func (c *core) moveUp() {
	refs := c.loosen()
	c.big().index.Build(refs)
}

// loosen moves the entries of a listpack to a table and returns their refs, in order; the index is still empty.
func (c *core) loosen() (refs []uint32) {
	up := c.newBig()
	refs = make([]uint32, 0, c.len())
	var w walk
	for w.ascend(c, 0, c.len()); w.next(); {
		refs = append(refs, up.table.Add(w.entry()))
	}
	c.block = nil
	r := c.own()
	r.big, r.rows = up, nil
	return refs
}

// newBig returns an empty big encoding.
func (c *core) newBig() big {
	limits := c.limits()
	t := members.New(int(limits.tieWidth))
	var o skiplist.Options
	if limits.rare != nil {
		o = limits.rare.shape
	}
	o.Groups, o.GroupText = limits.dense, int(limits.scoreTie)
	return big{table: t, index: skiplist.New(t, o)}
}
