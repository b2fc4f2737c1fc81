package zset

import (
	"bytes"
	"unsafe"

	"github.com/zrankdb/zrank/listpack"
)

// This file, walk.go and change.go read and change entries in either encoding. Other files work with handles, keys and ranks, and ask for
// the encoding only to make a set of another, or where one of them is faster.

// handle is the position of a member that find has returned; it is valid until the next change.
type handle struct {
	at   int64  // a listpack.Pos, or a ref
	rank int    // known in a listpack and in a before-image only
	key  uint64 // known in a skiplist only
}

func (h handle) ref() uint32 { return uint32(h.at) }

// limits returns the set's options.
func (c *core) limits() *limits {
	if c.rest == nil {
		return &defaults[0][0][0][0].limits
	}
	return &c.rest.limits
}

// big returns the encoding of a set that is not small, or nil.
func (c *core) big() *big {
	if c.rest == nil || c.rest.big.table == nil {
		return nil
	}
	return &c.rest.big
}

// image returns the before-image that a View is of, or nil. big returns nil then.
func (c *core) image() *beforeImage {
	if c.rest == nil || c.rest.limits.rare == nil {
		return nil
	}
	return c.rest.limits.rare.image
}

// small loads the listpack of a small set into l, which must be empty. After a change the caller stores it with keep.
func (c *core) small(l *listpack.List) {
	if c.rest != nil {
		l.Adopt(int(c.rest.limits.tieWidth), c.block, c.rest.rows)
	}
}

// keep stores the listpack in the set.
func (c *core) keep(l *listpack.List) {
	block, rows := l.Blocks()
	c.block = block
	if rows != nil || c.rest.rows != nil {
		c.own().rows = rows
		c.share()
	}
}

// own returns the set's own rest. If the set uses a shared rest, own first makes a copy for this set.
func (c *core) own() *rest {
	if c.rest.shared == nil {
		c.rest = &rest{limits: c.rest.limits, shared: c.rest}
	}
	return c.rest
}

// share returns to the shared rest if the set's own rest has no other state.
func (c *core) share() {
	if r := c.rest; r.shared != nil && r.big.table == nil && r.rows == nil && !r.held {
		c.rest = r.shared
	}
}

func (c *core) len() int {
	if b := c.big(); b != nil {
		return b.table.Len()
	}
	if b := c.image(); b != nil {
		return b.len()
	}
	var l listpack.List
	c.small(&l)
	return l.Len()
}

func (c *core) encoding() string {
	if b := c.image(); b != nil {
		return b.now.encoding()
	}
	if c.big() == nil {
		return "listpack"
	}
	return "skiplist"
}

func (c *core) size() int {
	if b := c.image(); b != nil {
		return b.now.size()
	}
	var l listpack.List
	c.small(&l)
	size := block(unsafe.Sizeof(*c)) + l.Size()
	for r := c.rest; r != nil && !r.common; r = r.shared {
		size += block(unsafe.Sizeof(*r))
		if r.shared == nil && r.limits.rare != nil {
			size += block(unsafe.Sizeof(*r.limits.rare))
		}
	}
	if b := c.big(); b != nil {
		size += b.table.Size() + b.index.Size()
	}
	return size
}

// layers returns the sizes of the index and of the member table in bytes; 0 in a listpack.
func (c *core) layers() (index, table int) {
	if b := c.image(); b != nil {
		return b.now.layers()
	}
	b := c.big()
	if b == nil {
		return 0, 0
	}
	return b.index.Size(), b.table.Size()
}

// block returns the size of the allocator's block for a struct of up to 128 bytes.
func block(size uintptr) int { return int(size+15) &^ 15 }

// find looks a member up. O(1); in a listpack O(n).
func (c *core) find(member []byte) (handle, bool) {
	b := c.big()
	if b == nil {
		if b := c.image(); b != nil {
			return b.find(member)
		}
		var l listpack.List
		c.small(&l)
		p, rank, ok := l.Find(member)
		return handle{at: int64(p), rank: rank}, ok
	}
	ref, key, ok := b.table.FindKey(member)
	return handle{at: int64(ref), key: key}, ok
}

// has reports whether the set holds a member. O(1); in a listpack O(n).
func (c *core) has(member []byte) bool {
	_, ok := c.find(member)
	return ok
}

// record returns the key and the tie of a member that was found.
func (c *core) record(h handle) (key uint64, tie []byte) {
	b := c.big()
	if b == nil {
		if b := c.image(); b != nil {
			key, tie, _ = b.entry(h.rank)
			return key, tie
		}
		var l listpack.List
		c.small(&l)
		key, tie, _ = l.Entry(listpack.Pos(h.at))
		return key, tie
	}
	return h.key, b.table.Tie(h.ref())
}

// key returns a member's key. It does the same as find and record with fewer instructions, so that the processor can begin the next
// look-up while it waits for the memory of this one. With find and record a look-up among a million members takes 1.8 times as long.
func (c *core) key(member []byte) (key uint64, ok bool) {
	b := c.big()
	if b == nil {
		if b := c.image(); b != nil {
			return b.key(member)
		}
		var l listpack.List
		c.small(&l)
		p, _, ok := l.Find(member)
		if !ok {
			return 0, false
		}
		key, _, _ = l.Entry(p)
		return key, true
	}
	_, key, ok = b.table.FindKey(member)
	return key, ok
}

// rank returns the rank of a member that was found. O(log n).
func (c *core) rank(h handle) int {
	b := c.big()
	if b == nil {
		return h.rank
	}
	return b.index.Rank(h.key, h.ref())
}

// seek returns the number of entries before (key, text), where text is a tie followed by a member. O(log n).
func (c *core) seek(key uint64, text []byte) int {
	if b := c.big(); b != nil {
		return b.index.Seek(key, text)
	}
	if b := c.image(); b != nil {
		return b.seek(key, text)
	}
	var l listpack.List
	c.small(&l)
	return l.Seek(key, text)
}

// entry returns the entry of a rank, which must lie in [0, Len). O(log n).
func (c *core) entry(rank int) (key uint64, tie, member []byte) {
	b := c.big()
	if b == nil {
		if b := c.image(); b != nil {
			return b.entry(rank)
		}
		var l listpack.List
		c.small(&l)
		return l.Entry(l.At(rank))
	}
	at := b.index.At(rank)
	width := c.limits().tieWidth
	key, text := b.table.Entry(at.Ref())
	return key, text[:width:width], text[width:]
}

// oneScore returns the key and the tie that all entries have; false if they differ. It compares only the first and the last entry.
// For an empty set it returns key 0. O(log n), and O(1) in a listpack.
func (c *core) oneScore() (key uint64, tie []byte, ok bool) {
	b := c.big()
	if b == nil {
		n := c.len()
		if n == 0 {
			return 0, nil, true
		}
		key, tie, _ = c.entry(0)
		last, lastTie, _ := c.entry(n - 1)
		return key, tie, key == last && bytes.Equal(tie, lastTie)
	}
	t := b.table
	first := b.index.At(0)
	last := b.index.At(b.index.Len() - 1)
	return t.Key(first.Ref()), t.Tie(first.Ref()), t.Key(first.Ref()) == t.Key(last.Ref()) && bytes.Equal(t.Tie(first.Ref()), t.Tie(last.Ref()))
}

func (b *beforeImage) len() int { return b.now.len() - b.has.len() + b.had.len() }

// find returns a handle that has the rank of the member.
func (b *beforeImage) find(member []byte) (handle, bool) {
	c := &b.had
	h, ok := c.find(member)
	if !ok {
		if b.has.has(member) {
			return handle{}, false
		}
		c = b.now
		if h, ok = c.find(member); !ok {
			return handle{}, false
		}
	}
	key, tie := c.record(h)
	var buf [128]byte
	return handle{rank: b.seek(key, append(append(buf[:0], tie...), member...))}, true
}

// key is core.key: find without the rank.
func (b *beforeImage) key(member []byte) (key uint64, ok bool) {
	if key, ok = b.had.key(member); ok || b.has.has(member) {
		return key, ok
	}
	return b.now.key(member)
}

func (b *beforeImage) seek(key uint64, text []byte) int {
	return b.now.seek(key, text) - b.has.seek(key, text) + b.had.seek(key, text)
}

func (b *beforeImage) entry(rank int) (key uint64, tie, member []byte) {
	now, had := b.split(rank)
	switch {
	case now == b.now.len():
		return b.had.entry(had)
	case had == b.had.len():
		return b.now.entry(now)
	}
	key, tie, member = b.now.entry(now)
	hadKey, hadTie, hadMember := b.had.entry(had)
	if isBefore(hadKey, hadTie, hadMember, key, tie, member) {
		return hadKey, hadTie, hadMember
	}
	return key, tie, member
}

// isBefore reports whether an entry stands before another in the order of a set.
func isBefore(key uint64, tie, member []byte, otherKey uint64, otherTie, other []byte) bool {
	if key != otherKey {
		return key < otherKey
	}
	if order := bytes.Compare(tie, otherTie); order != 0 {
		return order < 0
	}
	return bytes.Compare(member, other) < 0
}

// split returns of what the first rank entries of the image consist: of the first now entries of the set, less those that changed members
// have, and the first had of those that they had. The entry of the set at now, if there is one, is none that a changed member has. O(log n log changes).
func (b *beforeImage) split(rank int) (now, had int) {
	had = bisect(b.had.len(), func(i int) bool {
		key, tie, member := b.had.entry(i)
		text := append(append(make([]byte, 0, 128), tie...), member...)
		return b.now.seek(key, text)-b.has.seek(key, text)+i >= rank
	})
	rank -= had
	return rank + bisect(b.has.len(), func(i int) bool {
		key, tie, member := b.has.entry(i)
		text := append(append(make([]byte, 0, 128), tie...), member...)
		return b.now.seek(key, text)-i > rank
	}), had
}

// bisect returns the first i in [0, n) for which f is true, or n. Once true, f stays true.
func bisect(n int, f func(i int) bool) int {
	lo, hi := 0, n
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); f(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo
}
