package buckets

// Bounds is how many entries come before a place: at least Least, at most Most.
type Bounds struct{ Least, Most int }

// Change is an entry that comes to a bucket, or leaves it.
type Change struct {
	Key    Key
	Bucket uint32
	Leaves bool
}

// HasPlaces reports whether Before may know something: the tail has segments.
func (t *Tail) HasPlaces() bool { return t.wanted > 0 }

// Commit notes what a commit has done to the entries of the tail, and the number of members of the head after it. The caller has the sets locked.
// O(changes log segments).
func (t *Tail) Commit(changes []Change, head int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head = head
	for i := range changes {
		x := &changes[i]
		if g := t.segments; g != nil && x.Leaves {
			g.leave(&x.Key)
		} else if g != nil {
			g.come(&x.Key, max(g.total/t.wanted, minShare(t.wanted)), 2*t.wanted)
		}
		if t.count != nil && t.count.has(x.Bucket) {
			by := 1
			if x.Leaves {
				by = -1
			}
			t.count.next.tally(&x.Key, by)
		}
	}
}

// Before returns how many entries of the tail come before a place, without one that is in the tail unless without is nil, and the number of members of the
// head, -1 if that is not known. ok is false while the entries were not counted since Open. The answer is that of the last commit to the ranking, and
// of the caller's moment if the head is locked. O(log segments).
func (t *Tail) Before(k, without *Key) (b Bounds, head int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = true
	if t.segments == nil {
		return b, t.head, false
	}
	b.Least, b.Most = t.segments.before(k, without)
	return b, t.head, true
}

// Pending is the number of changes of a transaction in progress, which Commit does not know yet. The transaction has the head locked.
func (t *Tail) Pending() int { return int(t.pending.Load()) }

// Pend adds to Pending.
func (t *Tail) Pend(by int) { t.pending.Add(int64(by)) }

// CountDue reports whether CountNext has something to do: the entries were not counted since Open, or there are so many segments by now that new ones are
// due, and somebody has asked for a place since the last count. O(1).
func (t *Tail) CountDue() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.count != nil || t.asked && t.wanted > 0 && (t.segments == nil || t.head < 0 || len(t.segments.from) >= 2*t.wanted)
}

// CountNext begins a count, or goes on with it, and returns the bucket that is to be counted next; ok is false if all are: then the count has ended. The
// caller holds Steps until it has called Count. O(1), and O(sample log sample) at the end of the sample.
func (t *Tail) CountNext() (bucket uint32, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.count == nil {
		t.count = new(count)
	}
	c := t.count
	if c.next == nil && (len(c.sample) >= sampleSize*t.wanted || !c.seek(&t.dir)) {
		c.divide(t.wanted, t.dir.count)
	}
	if c.seek(&t.dir) {
		return c.at, true
	}
	c.next.complete()
	t.segments, t.count, t.asked = c.next, nil, false
	return 0, false
}

// Count counts the entries of the bucket that CountNext has returned. The caller has locked the bucket, for reading at least. O(entries log
// segments).
func (t *Tail) Count(entries func(yield func(Key) bool)) {
	t.mu.Lock()
	c := t.count
	t.mu.Unlock()
	if c.next == nil { // only the holder of Steps uses the sample
		for k := range entries {
			c.sample = append(c.sample, k.entry())
		}
		c.taken++
		c.at++
		return
	}
	var some [2 * DefaultFull]Key
	keys := some[:0]
	for k := range entries {
		c.next.find(&k) // which does not change during a count
		keys = append(keys, k)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range keys {
		c.next.tally(&keys[i], 1)
	}
	c.at++
}

// Head returns the number of members of the head, and false if it is not known. O(1).
func (t *Tail) Head() (n int, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.head, t.head >= 0
}

// SetHead notes the number of members of the head, which the caller has locked.
func (t *Tail) SetHead(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.head = n
}
