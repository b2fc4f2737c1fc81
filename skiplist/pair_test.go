package skiplist

import (
	"encoding/binary"
	"fmt"

	"github.com/zrankdb/zrank/internal/model"
)

// records are keys and texts in slices: a ref is an index.
type records struct {
	keys  []uint64
	texts []string
}

func (r *records) Key(ref uint32) uint64  { return r.keys[ref] }
func (r *records) Text(ref uint32) []byte { return []byte(r.texts[ref]) }

const members = 600

// pair is a list and the oracle with the same entries. The oracle's tie is the key and one more byte. The text of member m is that byte
// and m's number. Member m has one of two refs, so that refs do not order as texts do.
type pair struct {
	list *List
	want *model.Set
	rec  *records
	ref  map[uint32]uint32 // of the members in the list
	opt  Options
}

func newPair(o Options) *pair {
	r := &records{keys: make([]uint64, 2*members), texts: make([]string, 2*members)}
	return &pair{list: New(r, o), want: model.New(), rec: r, ref: map[uint32]uint32{}, opt: o}
}

func name(m uint32) string { return fmt.Sprint(m * 7919 % members) }

func entry(m uint32, key uint64, tie byte) model.Entry {
	return model.Entry{Tie: string(append(binary.BigEndian.AppendUint64(nil, key), tie)), Member: name(m)}
}

// set writes a member's record.
func (p *pair) set(ref, m uint32, key uint64, tie byte) {
	p.rec.keys[ref], p.rec.texts[ref] = key, string(tie)+name(m)
}

// put sets the key and tie of a member in list and oracle, and returns what differs.
func (p *pair) put(m uint32, key uint64, tie byte) error {
	ref, had := p.ref[m]
	e := entry(m, key, tie)
	if had {
		var text []byte
		if old := p.rec.texts[ref]; old[0] != tie {
			text = []byte(string(tie) + name(m))
		}
		wantBefore, _ := p.want.Rank(e.Member)
		p.want.Put(e)
		wantAfter, _ := p.want.Rank(e.Member)
		before, after, ok := p.list.Update(p.rec.keys[ref], key, ref, text, func() { p.set(ref, m, key, tie) })
		if !ok || before != wantBefore || after != wantAfter {
			return fmt.Errorf("update of %d: ranks %d and %d, want %d and %d", m, before, after, wantBefore, wantAfter)
		}
		return nil
	}
	p.ref[m] = m
	p.set(m, m, key, tie)
	p.want.Put(e)
	rank := p.list.Insert(key, m)
	if want, _ := p.want.Rank(name(m)); rank != want {
		return fmt.Errorf("insert of %d: rank %d, want %d", m, rank, want)
	}
	return nil
}

func (p *pair) remove(m uint32) error {
	ref, had := p.ref[m]
	want, _ := p.want.Rank(name(m))
	if !had {
		return nil
	}
	if rank, ok := p.list.Delete(p.rec.keys[ref], ref); !ok || rank != want {
		return fmt.Errorf("delete of %d: %d %v, want %d", m, rank, ok, want)
	}
	p.forget(ref, m)
	return nil
}

// forget makes the record of a member that has left the list unreadable.
func (p *pair) forget(ref, m uint32) {
	p.rec.keys[ref], p.rec.texts[ref] = 1<<40+uint64(ref), "gone"
	p.want.Remove(name(m))
	delete(p.ref, m)
}

// deleteRange removes a range of ranks, some of which may not exist.
func (p *pair) deleteRange(lo, hi int) error {
	gone := p.want.Range(lo, hi)
	p.list.DeleteRange(lo, hi)
	names := map[string]bool{}
	for _, e := range gone {
		names[e.Member] = true
	}
	for m, ref := range p.ref {
		if names[name(m)] {
			p.forget(ref, m)
		}
	}
	if p.list.Len() != p.want.Len() {
		return fmt.Errorf("range %d to %d: %d left, want %d", lo, hi, p.list.Len(), p.want.Len())
	}
	return nil
}

// build makes the list anew from its own refs.
func (p *pair) build() error {
	var refs []uint32
	for c := p.list.At(0); c.Valid(); {
		var some [7]uint32
		refs = append(refs, some[:c.Collect(some[:])]...)
	}
	if len(refs) != p.want.Len() {
		return fmt.Errorf("Collect finds %d, want %d", len(refs), p.want.Len())
	}
	p.list.Build(refs)
	return nil
}

// replace moves a member's record to its other ref.
func (p *pair) replace(m uint32) error {
	ref, had := p.ref[m]
	if !had {
		return nil
	}
	other := (ref + members) % (2 * members)
	key := p.rec.keys[ref]
	p.rec.keys[other], p.rec.texts[other] = key, p.rec.texts[ref]
	if !p.list.Replace(key, ref, other) || p.list.Replace(key, ref, other) {
		return fmt.Errorf("replace of %d: not found, or found again", m)
	}
	p.rec.keys[ref], p.rec.texts[ref] = 1<<40, "gone"
	p.ref[m] = other
	return nil
}

// seek compares Seek with the oracle for a key and a text that need not be in the list.
func (p *pair) seek(m uint32, key uint64, tie byte) error {
	e := entry(m, key, tie)
	want := p.want.CountBefore(func(have model.Entry) bool { return model.Less(have, e) })
	if got := p.list.Seek(key, []byte(string(tie)+name(m))); got != want {
		return fmt.Errorf("seek of %d %q: %d, want %d", key, string(tie)+name(m), got, want)
	}
	return nil
}

// compare returns the first difference between the list and the oracle.
func (p *pair) compare() error {
	if number, found := p.list.verify(); number != "" {
		return fmt.Errorf("violates %s: %s\n%#v", number, found, p.list)
	}
	all := p.want.All()
	if p.list.Len() != len(all) {
		return fmt.Errorf("len %d, want %d", p.list.Len(), len(all))
	}
	c := p.list.At(0)
	for rank, e := range all {
		if !c.Valid() {
			return fmt.Errorf("a walk ends at rank %d", rank)
		}
		key, text := p.rec.keys[c.Ref()], p.rec.texts[c.Ref()]
		if text != e.Tie[8:]+e.Member || key != binary.BigEndian.Uint64([]byte(e.Tie)) || c.Key() != key {
			return fmt.Errorf("rank %d is %d %q, not %v", rank, c.Key(), text, e)
		}
		if at := p.list.At(rank); at.Ref() != c.Ref() {
			return fmt.Errorf("At(%d) is not what a walk finds", rank)
		}
		if got := p.list.Rank(key, c.Ref()); got != rank {
			return fmt.Errorf("rank of %v is %d, want %d", e, got, rank)
		}
		c.Next()
	}
	if c.Valid() {
		return fmt.Errorf("a walk does not end")
	}
	if err := p.compareGroups(all); err != nil {
		return err
	}
	return p.compareBack(all)
}

// compareGroups counts the groups that begin before each rank.
func (p *pair) compareGroups(all []model.Entry) error {
	groups := 0
	for rank, e := range all {
		if got := p.list.Groups(rank); got != groups {
			return fmt.Errorf("%d groups before rank %d, want %d", got, rank, groups)
		}
		if end := 8 + p.opt.GroupText; p.opt.Groups && (rank == 0 || all[rank-1].Tie[:end] != e.Tie[:end]) {
			groups++
		}
	}
	for _, rank := range []int{len(all), len(all) + 1} {
		if got := p.list.Groups(rank); got != groups {
			return fmt.Errorf("%d groups before rank %d, want all %d", got, rank, groups)
		}
	}
	return nil
}

// compareBack walks from the end to the front, once with Prev and once with CollectBack.
func (p *pair) compareBack(all []model.Entry) error {
	back, batches := p.list.At(len(all)-1), p.list.At(len(all)-1)
	for rank := len(all) - 1; rank >= 0; rank-- {
		if !back.Valid() || p.rec.texts[back.Ref()][1:] != all[rank].Member {
			return fmt.Errorf("rank %d is not found walking back", rank)
		}
		back.Prev()
	}
	if back.Valid() {
		return fmt.Errorf("a walk back does not end")
	}
	for rank := len(all); rank > 0; {
		var some [5]uint32
		n := batches.CollectBack(some[:])
		if n == 0 {
			return fmt.Errorf("CollectBack ends before rank %d", rank-1)
		}
		for _, ref := range some[:n] {
			rank--
			if p.rec.texts[ref][1:] != all[rank].Member {
				return fmt.Errorf("CollectBack does not find rank %d", rank)
			}
		}
	}
	if batches.Valid() {
		return fmt.Errorf("CollectBack does not end")
	}
	return nil
}

// shapes returns the options under which every test body runs: each combination of a leaf size and tower heights. Some have no groups,
// some have groups by key, and some have groups by key and the first byte of the text.
func shapes() map[string]func() Options {
	shapes := map[string]func() Options{}
	for i, size := range []int{2, 3, 4, 64} {
		for j, height := range []func() int{nil, func() int { return 1 }, func() int { return maxHeight + 9 }} {
			o := Options{LeafSize: size, Height: height}
			if kind := (i + j) % 3; kind > 0 {
				o.Groups, o.GroupText = true, kind-1
			}
			name := fmt.Sprintf("leaf=%d/height=%s/groups=%v,%d", size, []string{"random", "1", "max"}[j], o.Groups, o.GroupText)
			shapes[name] = func() Options { return o }
		}
	}
	return shapes
}
