package zset

import (
	"unsafe"

	"github.com/zrankdb/zrank/listpack"
	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset/internal/members"
)

// This file and change.go are the only ones that know there are two encodings. Everything else is said in handles, keys and
// ranks.

// core is a sorted set of keys: what sets of all kinds of scores have in common.
type core struct {
	small  listpack.List // used while big is nil
	big    *big
	limits limits
	held   bool // pages are being written: records stay where they are
}

// big is the encoding above the limits of a listpack: records found by member, and an index of them in order.
type big struct {
	table    *members.Table
	index    *skiplist.List
	distinct *distinct // nil unless dense ranks are wanted
}

// handle is where a member was found; it is valid until the next change.
type handle struct {
	at   int64  // a listpack.Pos, or a ref
	rank int    // known in a listpack only
	key  uint64 // known in a skiplist only
}

func (h handle) ref() uint32 { return uint32(h.at) }

func (c *core) len() int {
	if c.big == nil {
		return c.small.Len()
	}
	return c.big.table.Len()
}

func (c *core) encoding() string {
	if c.big == nil {
		return "listpack"
	}
	return "skiplist"
}

func (c *core) size() int {
	size := block(unsafe.Sizeof(*c)) + c.small.Size()
	if c.limits.rare != nil {
		size += block(unsafe.Sizeof(*c.limits.rare))
	}
	if c.big != nil {
		size += block(unsafe.Sizeof(*c.big)) + c.big.table.Size() + c.big.index.Size()
		if c.big.distinct != nil {
			size += c.big.distinct.size()
		}
	}
	return size
}

// layers returns the shares of the index and of the member table in size; 0 in a listpack.
func (c *core) layers() (index, table int) {
	if c.big == nil {
		return 0, 0
	}
	if c.big.distinct != nil {
		index = c.big.distinct.size()
	}
	return index + c.big.index.Size(), c.big.table.Size()
}

// block returns the size of the allocator's block for a struct of up to 128 bytes.
func block(size uintptr) int { return int(size+15) &^ 15 }

// find looks a member up. O(1); in a listpack O(n).
func (c *core) find(member []byte) (handle, bool) {
	if c.big == nil {
		p, rank, ok := c.small.Find(member)
		return handle{at: int64(p), rank: rank}, ok
	}
	ref, key, ok := c.big.table.FindKey(member)
	return handle{at: int64(ref), key: key}, ok
}

// record returns the key and the tie of a member that was found.
func (c *core) record(h handle) (key uint64, tie []byte) {
	if c.big == nil {
		key, tie, _ = c.small.Entry(listpack.Pos(h.at))
		return key, tie
	}
	return h.key, c.big.table.Tie(h.ref())
}

// key returns a member's key. It is the shortest way there: the processor is then well into the next look-up while it waits
// for the memory of this one. Through find and record a look-up at a million members takes 1.8 times as long.
func (c *core) key(member []byte) (key uint64, ok bool) {
	if c.big == nil {
		p, _, ok := c.small.Find(member)
		if !ok {
			return 0, false
		}
		key, _, _ = c.small.Entry(p)
		return key, true
	}
	_, key, ok = c.big.table.FindKey(member)
	return key, ok
}

// rank returns the rank of a member that was found. O(log n).
func (c *core) rank(h handle) int {
	if c.big == nil {
		return h.rank
	}
	rank, _ := c.big.index.Rank(h.key, h.ref())
	return rank
}

// seek returns the number of entries before (key, text), where text is a tie followed by a member. O(log n).
func (c *core) seek(key uint64, text []byte) int {
	if c.big == nil {
		return c.small.Seek(key, text)
	}
	return c.big.index.Seek(key, text)
}

// entry returns the entry of a rank, which must lie in [0, Len). O(log n).
func (c *core) entry(rank int) (key uint64, tie, member []byte) {
	if c.big == nil {
		return c.small.Entry(c.small.At(rank))
	}
	at := c.big.index.At(rank)
	width := c.limits.tieWidth
	text := c.big.table.Text(at.Ref())
	return c.big.table.Key(at.Ref()), text[:width:width], text[width:]
}

// ascend calls yield for the entries with ranks in [lo, hi), which must lie in [0, Len]. O(log n + hi - lo).
func (c *core) ascend(lo, hi int, yield func(key uint64, tie, member []byte) bool) {
	if c.big == nil {
		for p := c.small.At(lo); lo < hi; lo++ {
			if !yield(c.small.Entry(p)) {
				return
			}
			p = c.small.Next(p)
		}
		return
	}
	t, width := c.big.table, c.limits.tieWidth
	for at := c.big.index.At(lo); lo < hi && at.Valid(); {
		refs := at.Run(hi - lo)
		t.Touch(refs)
		for _, ref := range refs {
			text := t.Text(ref)
			if !yield(t.Key(ref), text[:width:width], text[width:]) {
				return
			}
		}
		lo += len(refs)
		at.Skip(len(refs))
	}
}

// descend is ascend from the other end: it starts with rank hi-1.
func (c *core) descend(lo, hi int, yield func(key uint64, tie, member []byte) bool) {
	if c.big == nil {
		for p := c.small.At(hi); lo < hi; hi-- {
			p = c.small.Prev(p)
			if !yield(c.small.Entry(p)) {
				return
			}
		}
		return
	}
	t, width := c.big.table, c.limits.tieWidth
	for at := c.big.index.At(hi - 1); lo < hi && at.Valid(); {
		refs := at.RunBack(hi - lo)
		t.Touch(refs)
		for i := len(refs) - 1; i >= 0; i-- {
			text := t.Text(refs[i])
			if !yield(t.Key(refs[i]), text[:width:width], text[width:]) {
				return
			}
		}
		hi -= len(refs)
		at.SkipBack(len(refs))
	}
}
