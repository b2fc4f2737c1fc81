package members

const (
	shrinkFrom = 8 << 10 // bytes held below which nothing is moved
	looks      = 16      // slabs looked at for a victim at a time
)

// Shrink frees memory in small steps. When less than three quarters of the slabs' memory is live, it picks a sparse slab, the victim,
// and visits up to the given number of its records. It copies a live record to another place and then calls moved, so that the owner
// replaces the old ref by the new one in its own index; both copies are readable then. After that it frees the old record. moved must
// not change the table. Shrink does not move large records: their slabs are freed with them.
//
// The owner calls Shrink after each removal. 4 records a call are enough, since at least a quarter of a victim's bytes are free. The
// owner must not call Shrink while it writes the pages of a snapshot, as members must stay on their pages then. O(visited records), no
// allocation except for slabs; one comparison if there is nothing to gain.
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

// evacuating reports whether there is a victim, and space for its records. It picks a victim if that would free memory.
func (r *records) evacuating() bool {
	return (r.victim >= 0 || r.isSparse() && r.pick()) && !r.isFull()
}

// isSparse reports whether to evacuate a slab. It does not count the unused end of the slab being filled.
func (r *records) isSparse() bool {
	held := r.bytes - r.limit + r.end
	return 4*r.live < 3*held && held > shrinkFrom
}

// pick checks the next slabs and makes the one with the most free bytes the victim. If the slabs are sparse on average, at least one of
// them is, so repeated calls find it. pick goes from high slab numbers to low ones, so that numbers at the end become free. O(looks).
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

// copy copies a live record whose text has n bytes. The copy may be in the victim too, further on.
func (r *records) copy(old uint32, n int) uint32 {
	ref := r.place(class(n))
	r.touch(ref)
	to, at := r.at(ref)
	from, off := r.at(old)
	copy(to[at:at+textAt+n], from[off:])
	return ref
}

// pass goes on to the victim's next record, and frees the slab after the last one.
func (r *records) pass(size int) {
	if r.passed += size; r.endOf(r.victim)-r.passed < class(0)*unit {
		r.freeSlab(r.victim)
		r.victim, r.passed = -1, 0
	}
}

// replace replaces a record's old ref by the new one.
func (x *index) replace(h uint64, old, ref uint32) {
	b, i := x.table(h).locate(h, old, 0)
	b.refs[i] = ref
}

// shrink replaces the table of a hash by a smaller one, or merges it with its buddy, if the result has enough free places: its records
// must grow by a third or shrink by a quarter before it changes again, unless records pass too often. So shrink is O(1) amortized. Of
// two buddies, one has at least 360 records.
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

// merge replaces two buddies by one table. It then halves the directory as long as no table needs its depth.
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
