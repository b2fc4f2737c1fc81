package members

import (
	"bytes"
	"slices"
	"sync"
	"sync/atomic"
)

// This file builds a table from whole pages, with several goroutines, or from members that one goroutine gives. Each goroutine decodes pages
// and copies their records. Then the
// directory gets its final depth, and each goroutine fills its own hash tables, which stay in its cache. Adding members one by one is
// slower: it searches for each member, and reads each record 3.3 times again as tables grow. 10 million members of 20 bytes, one
// goroutine:
//
//	                      one by one   at once
//	into the table           7.2 s      1.8 s

// Slab collects the records of one page. The zero value is empty.
type Slab struct {
	bytes []byte
	count int
	large bool // it holds one large record
}

// Reset empties the slab and keeps its memory. O(1).
func (s *Slab) Reset() { *s = Slab{bytes: s.bytes[:0]} }

// Add appends a record, unless the slab is full: it holds 64 KiB of records, or one large record. ok is false if it is full. O(1).
func (s *Slab) Add(key uint64, tie, member []byte) (ok bool) {
	n := len(tie) + len(member)
	off, size, length := len(s.bytes), class(n)*unit, uint16(n)
	if n > maxText {
		size, length = textAt+n, large
	}
	if s.large || off > 0 && (n > maxText || off+size > slabBytes) {
		return false
	}
	s.bytes = slices.Grow(s.bytes, size)[:off+size]
	putRecord(s.bytes[off:], key, length, tie, member)
	s.count++
	s.large = n > maxText
	return true
}

// Bulk fills a table, by Place or by Put. The table must not be used before Finish.
type Bulk struct {
	t       *Table
	workers int
	pages   int // that Place may make
	n       atomic.Int64
	bits    uint8 // of a hash, that say which part of the directory it belongs to
}

// Bulk starts filling an empty table with the given number of pages and goroutines. O(pages).
func (t *Table) Bulk(pages, workers int) *Bulk {
	r := &t.records
	r.list, r.used, r.marks = make([][]byte, pages), make([]uint16, pages), make([]mark, pages)
	return &Bulk{t: t, workers: max(workers, 1), pages: pages}
}

// BulkMore starts adding members by Put to a table from which none was ever removed. Finish will use so many goroutines. O(1).
func (t *Table) BulkMore(workers int) *Bulk {
	b := &Bulk{t: t, workers: max(workers, 1)}
	b.n.Store(int64(t.n))
	return b
}

// Put appends a record, unless the table has no space left: see Full. Its page counts as changed. O(1).
func (b *Bulk) Put(key uint64, tie, member []byte) (ok bool) {
	if b.t.records.isFull() {
		return false
	}
	b.t.records.add(key, tie, member)
	b.n.Add(1)
	return true
}

// Place makes page i of a copy of the records in s. The page counts as unchanged. Goroutines may place different pages at the same time.
// O(page).
func (b *Bulk) Place(i int, s *Slab) {
	if s.count == 0 {
		return
	}
	r := &b.t.records
	slab := append([]byte(nil), s.bytes...)
	slab = slab[:cap(slab)]
	if s.large {
		r.list[i], r.used[i] = slab[:len(s.bytes)], isLarge
	} else {
		r.list[i], r.used[i] = slab[:len(slab)&^(unit-1)], uint16(len(s.bytes)/unit)
	}
	b.n.Add(int64(s.count))
}

// Finish enters all members into the index. If a member has two records, the one on the later page stays, or the one that Put has added later; twice is one such
// member, nil if there is none. Each goroutine fills
// the hash tables of one part of the directory. Records that do not fit are added one by one at the end. O(members).
func (b *Bulk) Finish() (twice []byte) {
	if b.pages > 0 {
		b.settle()
	}
	n, x := int(b.n.Load()), &b.t.index
	depth := uint8(0)
	for n > full(mostBuckets) && n>>depth > mostPerTable {
		depth++
	}
	x.dir, x.depth, x.deepest, x.bytes = make([]table, 1<<depth), depth, 1<<depth, 0
	b.bits = min(depth, groupBits)
	g := grouping{t: b.t, workers: b.workers, number: b.t.rehash, bits: b.bits, shift: 64 - b.bits}
	entries, parts := g.entries(n)
	var mu sync.Mutex
	var spare []entry // records that their table has no place for
	var dead []uint32 // records that a later page replaces
	inParallel(b.workers, len(parts)-1, func(p int) {
		held, partSpare, partDead := b.fill(p, entries[parts[p]:parts[p+1]])
		mu.Lock()
		defer mu.Unlock()
		x.bytes += held
		spare, dead = append(spare, partSpare...), append(dead, partDead...)
	})
	b.t.n = n - len(dead) - len(spare)
	for _, e := range spare {
		if old, again := b.addSpare(e); again {
			dead = append(dead, old)
		}
	}
	if len(dead) > 0 {
		twice = bytes.Clone(b.t.Member(dead[0]))
	}
	for _, ref := range dead {
		b.t.records.remove(ref)
	}
	b.t.changed()
	return twice
}

// settle updates the counts and free numbers of the slabs.
func (b *Bulk) settle() {
	r := &b.t.records
	last := len(r.list)
	for ; last > 0 && r.list[last-1] == nil; last-- {
	}
	r.list, r.used, r.marks = r.list[:last], r.used[:last], r.marks[:last]
	for i, slab := range r.list {
		r.bytes += cap(slab)
		switch {
		case slab == nil:
			r.marks[i] |= changed
			r.noteUnused(i)
		case r.used[i] == isLarge:
			r.live += cap(slab)
		default:
			r.live += int(r.used[i]) * unit
			r.freeRest(i, int(r.used[i])*unit)
		}
	}
}

// mostPerTable is the largest average number of records per table. It is so low that few tables get more records than they have places.
const mostPerTable = 1000

// fill builds the tables of part p of the directory. It returns the bytes they take, the entries that their table has no place for,
// and the records that were replaced by a later record of the same member.
func (b *Bulk) fill(p int, entries []entry) (bytes int, spare []entry, dead []uint32) {
	x := &b.t.index
	shift := 64 - x.depth
	tables := x.dir[p<<(x.depth-b.bits):][:1<<(x.depth-b.bits)]
	mask := uint64(len(tables) - 1)
	counts := make([]int, len(tables))
	for _, e := range entries {
		counts[e.by>>shift&mask]++
	}
	for i, n := range counts {
		size := startBuckets
		for size < someBuckets && n > full(size) {
			size *= 2
		}
		if n > full(someBuckets) {
			size = mostBuckets
		}
		tables[i] = table{buckets: make([]bucket, size), depth: x.depth}
		bytes += size * bucketBytes
	}
	for _, e := range entries {
		q := &tables[e.by>>shift&mask]
		if old, again := b.t.supersede(q, e); again {
			dead = append(dead, old)
		} else if int(q.live) < full(len(q.buckets)) {
			q.add(e.by, e.ref)
		} else {
			spare = append(spare, e)
		}
	}
	return bytes, spare, dead
}

// supersede replaces a table's record of the same member, if there is one, and returns the replaced record.
func (t *Table) supersede(q *table, e entry) (old uint32, again bool) {
	home := q.home(e.by)
	for g := home; ; {
		b := &q.buckets[g]
		for m := b.matches(tag(e.by)); m != 0; m &= m - 1 {
			i := first(m)
			if old = b.refs[i]; string(t.Member(old)) == string(t.Member(e.ref)) {
				b.refs[i] = e.ref
				return old, true
			}
		}
		if g = q.next(g); b.over == 0 || g == home {
			return 0, false
		}
	}
}

// addSpare adds a record that its table had no room for, and returns the record that it replaces.
func (b *Bulk) addSpare(e entry) (old uint32, again bool) {
	t := b.t
	if old, again = t.supersede(t.index.table(e.by), e); again {
		return old, true
	}
	t.index.add(e.by, e.ref, t.rehashAll)
	t.n++
	return 0, false
}
