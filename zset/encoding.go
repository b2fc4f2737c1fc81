package zset

import (
	"bytes"

	"github.com/zrankdb/zrank/listpack"
	"github.com/zrankdb/zrank/skiplist"
	"github.com/zrankdb/zrank/zset/internal/members"
)

// This file is the only one that knows there are two encodings. Everything else is said in handles, keys and ranks.

// big is the encoding above the limits of a listpack: records found by member, and an index of them in order.
type big struct {
	table *members.Table
	index *skiplist.List
}

// handle is where a member was found; it is valid until the next change.
type handle struct {
	at   int // a listpack.Pos, or a ref
	rank int // known in a listpack only
}

func (h handle) ref() uint32 { return uint32(h.at) }

// Len returns the number of members. O(1).
func (v *View) Len() int {
	if v.big == nil {
		return v.small.Len()
	}
	return v.big.table.Len()
}

// find looks a member up. O(1); in a listpack O(n).
func (v *View) find(member []byte) (handle, bool) {
	if v.big == nil {
		p, rank, ok := v.small.Find(member)
		return handle{at: int(p), rank: rank}, ok
	}
	ref, ok := v.big.table.Find(member)
	return handle{at: int(ref)}, ok
}

// record returns the key and the tie of a member that was found.
func (v *View) record(h handle) (key uint64, tie []byte) {
	if v.big == nil {
		e := v.small.Entry(listpack.Pos(h.at))
		return e.Key, e.Tie
	}
	return v.big.table.Key(h.ref()), v.big.table.Tie(h.ref())
}

// rank returns the rank of a member that was found. O(log n).
func (v *View) rank(h handle) int {
	if v.big == nil {
		return h.rank
	}
	rank, _ := v.big.index.Rank(v.big.table.Key(h.ref()), h.ref())
	return rank
}

// seek returns the number of entries before (key, text), where text is a tie followed by a member. O(log n).
func (v *View) seek(key uint64, text []byte) int {
	if v.big != nil {
		return v.big.index.Seek(key, text)
	}
	_, rank := v.small.Seek(func(e listpack.Entry) bool {
		return e.Key < key || e.Key == key && compareText(e.Tie, e.Member, text) < 0
	})
	return rank
}

// compareText compares tie followed by member with text.
func compareText(tie, member, text []byte) int {
	if len(text) < len(tie) {
		if c := bytes.Compare(tie[:len(text)], text); c != 0 {
			return c
		}
		return 1
	}
	if c := bytes.Compare(tie, text[:len(tie)]); c != 0 {
		return c
	}
	return bytes.Compare(member, text[len(tie):])
}

// ascend calls yield for the entries with ranks in [lo, hi), which must lie in [0, Len]. O(log n + hi - lo).
func (v *View) ascend(lo, hi int, yield func(key uint64, tie, member []byte) bool) {
	if v.big == nil {
		for p := v.small.At(lo); lo < hi; lo++ {
			if e := v.small.Entry(p); !yield(e.Key, e.Tie, e.Member) {
				return
			}
			p = v.small.Next(p)
		}
		return
	}
	width, t := v.TieWidth(), v.big.table
	for c := v.big.index.At(lo); lo < hi && c.Valid(); {
		refs := c.Run(hi - lo)
		t.Touch(refs)
		for _, ref := range refs {
			text := t.Text(ref)
			if !yield(t.Key(ref), text[:width:width], text[width:]) {
				return
			}
		}
		lo += len(refs)
		c.Skip(len(refs))
	}
}

// descend is ascend from the other end: it starts with rank hi-1.
func (v *View) descend(lo, hi int, yield func(key uint64, tie, member []byte) bool) {
	if v.big == nil {
		for p := v.small.At(hi); lo < hi; hi-- {
			p = v.small.Prev(p)
			if e := v.small.Entry(p); !yield(e.Key, e.Tie, e.Member) {
				return
			}
		}
		return
	}
	width, t := v.TieWidth(), v.big.table
	for c := v.big.index.At(hi - 1); lo < hi && c.Valid(); {
		refs := c.RunBack(hi - lo)
		t.Touch(refs)
		for i := len(refs) - 1; i >= 0; i-- {
			text := t.Text(refs[i])
			if !yield(t.Key(refs[i]), text[:width:width], text[width:]) {
				return
			}
		}
		hi -= len(refs)
		c.SkipBack(len(refs))
	}
}

// insert adds a member that the set does not hold, moving the set up first if a listpack may not hold it.
func (s *Set) insert(key uint64, tie, member []byte) error {
	if s.big == nil && !s.fits(s.small.Len()+1, member) {
		s.moveUp()
	}
	if s.big == nil {
		var room [defaultListpackMember]byte // member may alias the listpack, which is about to move
		s.small.Insert(key, tie, append(room[:0], member...))
		return nil
	}
	if s.big.table.Full() {
		return ErrFull
	}
	s.big.index.Insert(key, s.big.table.Add(key, tie, member))
	return nil
}

// move gives a member that was found another key and tie.
func (s *Set) move(h handle, key uint64, tie []byte) {
	if s.big == nil {
		s.small.Replace(listpack.Pos(h.at), key, tie)
		return
	}
	t, ref := s.big.table, h.ref()
	var room [128]byte
	var text []byte // nil while the tie stays
	if string(tie) != string(t.Tie(ref)) {
		text = append(append(room[:0], tie...), t.Member(ref)...)
	}
	s.big.index.Update(t.Key(ref), key, ref, text, func() {
		t.SetKey(ref, key)
		t.SetTie(ref, tie)
	})
}

// delete removes a member that was found.
func (s *Set) delete(h handle) {
	if s.big == nil {
		s.small.Delete(listpack.Pos(h.at))
		return
	}
	s.big.index.Delete(s.big.table.Key(h.ref()), h.ref())
	s.big.table.Remove(h.ref())
}

// fits reports whether a listpack of n entries may hold the member.
func (v *View) fits(n int, member []byte) bool {
	return n <= int(v.limits.maxEntries) && len(member) <= int(v.limits.maxMember)
}

// moveUp changes the encoding from listpack to skiplist. O(n) of a number that Options bound.
func (s *Set) moveUp() {
	t := members.New(s.TieWidth())
	up := &big{table: t, index: skiplist.New(t, s.shape)}
	s.ascend(0, s.Len(), func(key uint64, tie, member []byte) bool {
		up.index.Insert(key, t.Add(key, tie, member))
		return true
	})
	s.big, s.small = up, listpack.List{}
}

// Encoding returns "listpack" or "skiplist", as Redis OBJECT ENCODING. O(1).
func (v *View) Encoding() string {
	if v.big == nil {
		return "listpack"
	}
	return "skiplist"
}
