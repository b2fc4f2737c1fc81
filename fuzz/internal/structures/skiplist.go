package structures

import (
	"fmt"
	"iter"
	"slices"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/skiplist"
)

// indexed is a skiplist as a sorted set, with its records in slices and a Go map of members.
type indexed struct {
	list     *skiplist.List
	o        skiplist.Options
	tieWidth int
	keys     []uint64 // of records, by ref
	texts    []string
	refs     map[string]uint32 // of members
}

// skiplistMachine returns a machine of skiplists. A reopen builds them anew. The options are those of
// package skiplist: the size of leaves, the heights of towers, and groups, here of entries with equal scores and ties.
func skiplistMachine(o skiplist.Options) machine.Machine {
	fresh := func(tieWidth int) apply.Set {
		x := &indexed{o: o, tieWidth: tieWidth, refs: map[string]uint32{}}
		if o.Groups {
			x.o.GroupText = tieWidth
		}
		x.list = skiplist.New(x, x.o)
		return orderedSet{x, tieWidth}
	}
	return NewPlain(fresh, func(s apply.Set) (apply.Set, error) {
		x := s.(orderedSet).ordered.(*indexed)
		if err := x.checkGroups(); err != nil {
			return nil, err
		}
		var refs []uint32
		for c := x.list.At(0); c.Valid(); c.Next() {
			refs = append(refs, c.Ref())
		}
		x.list = skiplist.New(x, x.o)
		x.list.Build(refs)
		return s, x.checkGroups()
	})
}

// checkGroups compares the number of groups before each rank with a count.
func (x *indexed) checkGroups() error {
	if !x.o.Groups {
		return nil
	}
	want, rank, last := 0, 0, ""
	for e := range x.walk(0, x.Len()) {
		if got := x.list.Groups(rank); got != want {
			return fmt.Errorf("fuzz: %d groups before rank %d, want %d", got, rank, want)
		}
		if group := fmt.Sprint(e.key, e.tie); group != last {
			want, last = want+1, group
		}
		rank++
	}
	if got := x.list.Groups(rank); got != want {
		return fmt.Errorf("fuzz: %d groups in all, want %d", got, want)
	}
	return nil
}

// Key and Text are those of skiplist.Records.
func (x *indexed) Key(ref uint32) uint64  { return x.keys[ref] }
func (x *indexed) Text(ref uint32) []byte { return []byte(x.texts[ref]) }

// Len returns the number of entries.
func (x *indexed) Len() int { return x.list.Len() }

func (x *indexed) find(member []byte) (rank int, key uint64, tie []byte, ok bool) {
	ref, ok := x.refs[string(member)]
	if !ok {
		return 0, 0, nil, false
	}
	return x.list.Rank(x.keys[ref], ref), x.keys[ref], []byte(x.texts[ref][:x.tieWidth]), true
}

// must panics if a skiplist has broken a promise. The runner reports the panic as a Difference.
func must(ok bool, promise string, ref uint32) {
	if !ok {
		panic(fmt.Sprintf("fuzz: the skiplist has broken a promise: %s (ref %d)", promise, ref))
	}
}

func (x *indexed) put(key uint64, tie, member []byte) {
	text := string(tie) + string(member)
	if ref, ok := x.refs[string(member)]; ok {
		var moved []byte
		if text != x.texts[ref] {
			moved = []byte(text)
		}
		_, after, ok := x.list.Update(x.keys[ref], key, ref, moved, func() { x.keys[ref], x.texts[ref] = key, text })
		must(ok, "its entry is updated", ref)
		must(x.list.Rank(key, ref) == after, "its rank is that of the update", ref)
		return
	}
	ref := uint32(len(x.keys))
	x.keys, x.texts = append(x.keys, key), append(x.texts, text)
	x.refs[string(member)] = ref
	rank := x.list.Insert(key, ref)
	at := x.list.At(rank)
	must(at.Valid() && at.Ref() == ref, "it is inserted at the rank that is returned", ref)
}

func (x *indexed) remove(member []byte) {
	ref, ok := x.refs[string(member)]
	if !ok {
		return
	}
	want, _, _, _ := x.find(member)
	rank, ok := x.list.Delete(x.keys[ref], ref)
	must(ok && rank == want, "it is deleted at its rank", ref)
	x.free(ref)
}

func (x *indexed) removeRange(lo, hi int) {
	var refs []uint32
	for c := x.list.At(lo); len(refs) < hi-lo; c.Next() {
		refs = append(refs, c.Ref())
	}
	x.list.DeleteRange(lo, hi)
	slices.Sort(refs)
	for _, ref := range slices.Backward(refs) {
		x.free(ref)
	}
}

// free moves the last record to the place of one that the list has deleted.
func (x *indexed) free(ref uint32) {
	delete(x.refs, x.texts[ref][x.tieWidth:])
	last := uint32(len(x.keys) - 1)
	if ref != last {
		x.keys[ref], x.texts[ref] = x.keys[last], x.texts[last]
		must(x.list.Replace(x.keys[ref], last, ref), "its entry has another ref", last)
		x.refs[x.texts[ref][x.tieWidth:]] = ref
	}
	x.keys, x.texts = x.keys[:last], x.texts[:last]
}

func (x *indexed) seek(key uint64, text []byte) int { return x.list.Seek(key, text) }

// walk and walkBack go by batches, of a size that is no divisor of a leaf's.
func (x *indexed) walk(lo, hi int) iter.Seq[keyed] {
	return x.batches(x.list.At(lo), hi-lo, (*skiplist.Cursor).Collect)
}

func (x *indexed) walkBack(lo, hi int) iter.Seq[keyed] {
	return x.batches(x.list.At(hi-1), hi-lo, (*skiplist.Cursor).CollectBack)
}

// batches yields the n entries that collect finds from a cursor on.
func (x *indexed) batches(c skiplist.Cursor, n int, collect func(*skiplist.Cursor, []uint32) int) iter.Seq[keyed] {
	return func(yield func(keyed) bool) {
		for c, left := c, n; left > 0; {
			must(c.Key() == x.keys[c.Ref()], "a cursor has its record's key", c.Ref())
			var batch [7]uint32
			some := batch[:min(left, len(batch))]
			must(collect(&c, some) == len(some), "a walk finds every entry", uint32(left))
			for _, ref := range some {
				if !yield(x.entry(ref)) {
					return
				}
			}
			left -= len(some)
		}
	}
}

func (x *indexed) entry(ref uint32) keyed {
	text := []byte(x.texts[ref])
	return keyed{x.keys[ref], text[:x.tieWidth], text[x.tieWidth:]}
}
