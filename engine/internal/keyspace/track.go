package keyspace

// MemberWork is the cost of reading a member besides its length, in bytes of work.
const MemberWork = 48

// Track starts a tracker, and keeps the set in memory. The caller holds the set's lock for
// writing. O(1).
func (s *Set) Track(t *Tracker) {
	s.Pins.Add(1)
	r := s.Extra()
	t.next, r.copies = r.copies, t
}

// Untrack undoes Track. The caller holds the set's lock for writing. O(trackers of the set).
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

// PutBack notes a member that a transaction has, or may have, removed and put back unchanged. The log does not name such a member, so
// copies and the snapshot under way must read it again.
func (s *Set) PutBack(member string) {
	s.Note(member)
	if !s.Writing {
		return
	}
	r := s.Extra()
	if _, again := r.Known[member]; again { // it is on a page of its own, or will be; later changes of it are in the log
		return
	}
	if r.Known == nil {
		r.Known = map[string]struct{}{}
	}
	r.Known[member] = struct{}{}
	r.Returned = append(r.Returned, member)
}
