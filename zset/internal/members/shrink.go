package members

const (
	shrinkFrom = 8 << 10 // bytes held below which nothing is moved
	looks      = 16      // slabs looked at for a victim at a time
)

// Shrink gives memory back bit by bit. When less than three quarters of the memory that slabs hold is live, it picks a slab
// that is sparse, the victim, and looks at up to the given number of its records: one that is live is copied elsewhere, moved
// is called while both copies can be read, so that the owner puts the new ref in the place of the old one in its own index,
// and the old one is freed. moved must not change the table. Large records stay where they are: their slabs go with them.
//
// The owner calls it after each removal. 4 records a call keep pace with any removals, since a victim has at least one free
// record, by size, among four. While pages of a snapshot are being written, nothing may move from one page to another, and
// the owner must not call it. O(records looked at), no allocation but for slabs; with nothing to gain it is one comparison.
//
// Removing nine tenths of a million 20-byte members at random takes 385 ns each without it and 482 ns with it, and moves 0.71
// records per member removed (BenchmarkRemove). Of the former, 160 ns are tables that shrink and merge.
func (t *Table) Shrink(records int, moved func(old, new uint32)) {
	r := &t.records
	for ; records > 0 && r.evacuating(); records-- {
		old := refOf(r.victim, r.passed)
		n, free := r.length(old)
		if free {
			r.unlink(old, class(n))
		} else {
			ref := r.copy(old, n)
			t.index.replace(t.rehash(old), old, ref)
			moved(old, ref)
			r.retire(old)
		}
		r.pass(class(n) * unit)
	}
	t.changed()
}

// evacuating reports whether there is a victim and room to move its records to, and picks one if memory is to be gained.
func (r *records) evacuating() bool {
	return (r.victim >= 0 || r.isSparse() && r.pick()) && !r.isFull()
}

// isSparse reports whether it is time to evacuate. What the slab being filled has not given out does not count.
func (r *records) isSparse() bool {
	held := r.bytes - r.limit + r.end
	return 4*r.live < 3*held && held > shrinkFrom
}

// pick looks at the next slabs for the one with most to gain. If the slabs together are sparse, one of them is: it is found
// at last. It goes down, so that numbers at the end come free. O(looks).
func (r *records) pick() bool {
	gain := 0
	for range min(looks, len(r.list)) {
		if r.hand--; r.hand < 0 || r.hand >= len(r.list) {
			r.hand = len(r.list) - 1
		}
		i := r.hand
		if r.list[i] == nil || r.used[i] == isLarge {
			continue
		}
		size := r.endOf(i)
		if g := size - int(r.used[i])*unit; g > gain && 4*g > size {
			gain, r.victim, r.passed = g, i, 0
		}
	}
	if r.victim >= 0 && r.victim == r.fill {
		r.list[r.fill] = r.list[r.fill][:r.end]
		r.fill, r.end, r.limit = -1, 0, 0
	}
	return r.victim >= 0
}

// copy makes a copy of a live record whose text has n bytes. It may stand in the victim too, further on.
func (r *records) copy(old uint32, n int) uint32 {
	ref := r.place(class(n))
	r.touch(ref)
	to, at := r.at(ref)
	from, off := r.at(old)
	copy(to[at:at+textAt+n], from[off:])
	return ref
}

// pass goes on to the victim's next record, and gives the slab back after the last.
func (r *records) pass(size int) {
	if r.passed += size; r.endOf(r.victim)-r.passed < class(0)*unit {
		r.freeSlab(r.victim)
		r.victim, r.passed = -1, 0
	}
}

// replace puts a record's new ref in the place of the old one.
func (x *index) replace(h uint64, old, ref uint32) {
	b, i := x.table(h).locate(h, old, 0)
	b.refs[i] = ref
}

// shrink makes the table of a hash smaller, or merges it with its buddy, if what they hold would fit with room to spare: a
// third of their records must be added, or a quarter removed, before they change again, unless records pass too often. So it
// is O(1) amortized, and of buddies one has at least 360 records.
func (x *index) shrink(h uint64, hashes hashes) {
	t := *x.first(h)
	if t.depth > 0 && int(t.live) <= full(someBuckets)/2 {
		other := h ^ 1<<(64-t.depth)
		if buddy := *x.first(other); buddy.depth == t.depth && int(t.live+buddy.live) <= full(someBuckets) {
			x.merge(h, t, buddy, hashes)
			return
		}
	}
	n := len(t.buckets) / 2
	if len(t.buckets) == mostBuckets {
		n = someBuckets
	}
	if n >= startBuckets && int(t.live) <= full(n)*3/4 {
		x.put(h, table{buckets: make([]bucket, n), depth: t.depth})
		x.pour(t, hashes)
	}
}

// merge puts one table in the place of two buddies, and halves the directory while no table needs its depth.
func (x *index) merge(h uint64, t, buddy table, hashes hashes) {
	x.put(h, table{buckets: make([]bucket, mostBuckets), depth: t.depth - 1})
	x.pour(t, hashes)
	x.pour(buddy, hashes)
	for x.deepest == 0 && x.depth > 0 {
		dir := make([]table, len(x.dir)/2)
		x.depth--
		for i := range dir {
			dir[i] = x.dir[2*i]
		}
		x.dir = dir
		for _, q := range x.tables {
			if q.depth == x.depth {
				x.deepest++
			}
		}
	}
}
