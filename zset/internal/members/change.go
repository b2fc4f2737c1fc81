package members

// Add enters a member that the table does not hold and returns its ref, which stays the same until it is removed
// or Shrink moves it. O(1).
func (t *Table) Add(key uint64, tie, member []byte) uint32 {
	ref := t.records.add(key, tie, member)
	t.index.add(t.index.hash(member), ref, t.rehashAll)
	t.n++
	t.changed()
	return ref
}

// Remove removes the member with this ref. O(1).
func (t *Table) Remove(ref uint32) {
	h := t.rehash(ref)
	t.index.remove(h, ref)
	t.index.shrink(h, t.rehashAll)
	t.records.remove(ref)
	t.n--
	t.changed()
}

// SetKey changes a record's key. O(1).
func (t *Table) SetKey(ref uint32, key uint64) {
	t.records.touch(ref)
	t.records.setKey(ref, key)
}

// SetTie changes a record's tie, which must have the table's width. O(1).
func (t *Table) SetTie(ref uint32, tie []byte) {
	t.records.touch(ref)
	copy(t.Tie(ref), tie)
}
