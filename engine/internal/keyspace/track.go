package keyspace

// Tracker lists the members of a set that have changed, or may have moved, since a copy of the set began. Transactions that change the
// set add to it, under the lock that they hold.
type Tracker struct {
	// changed are the members, and work what it costs to read them, in bytes. Both are guarded by the set's lock: they are added to under
	// the lock for writing, and taken under the lock for reading by the one goroutine that copies.
	changed map[string]struct{}
	Work    int
	next    *Tracker // another one of the same set
}

// MemberWork is what it costs to read a member, beside its length.
const MemberWork = 48

// Track starts a tracker, and keeps the set in memory. The caller holds the set's lock for
// writing. O(1).
func (s *Set) Track(t *Tracker) {
	s.Pins.Add(1)
	r := s.Extra()
	t.next, r.copies = r.copies, t
}

// Untrack undoes track. The caller holds the set's lock for writing. O(trackers of the set).
func (s *Set) Untrack(t *Tracker) {
	s.Pins.Add(-1)
	defer s.Slim()
	for at := &s.Rare.copies; *at != nil; at = &(*at).next {
		if *at == t {
			*at = t.next
			return
		}
	}
}

// Tracked reports whether a copy of the set is under way. The caller holds its lock.
func (s *Set) Tracked() bool { return s.Rare != nil && s.Rare.copies != nil }

// Note adds a member that has changed, or may have moved, to all trackers of the set. The caller holds the set's lock for writing.
func (s *Set) Note(member string) {
	if s.Rare == nil {
		return
	}
	for t := s.Rare.copies; t != nil; t = t.next {
		if _, again := t.changed[member]; again {
			continue
		}
		if t.changed == nil {
			t.changed = map[string]struct{}{}
		}
		t.changed[member] = struct{}{}
		t.Work += MemberWork + len(member)
	}
}

// Take returns the members that have changed since the last call. The caller holds the set's lock.
func (t *Tracker) Take() (changed map[string]struct{}) {
	changed, t.changed, t.Work = t.changed, nil, 0
	return changed
}

// PutBack notes a member that a transaction has, or may have, taken out and put back as it was. The log says nothing of it.
func (s *Set) PutBack(member string) {
	s.Note(member)
	if !s.Writing {
		return
	}
	r := s.Extra()
	if _, again := r.Known[member]; again { // it is on a page, or will be; what has changed it since is in the log
		return
	}
	if r.Known == nil {
		r.Known = map[string]struct{}{}
	}
	r.Known[member] = struct{}{}
	r.Returned = append(r.Returned, member)
}
