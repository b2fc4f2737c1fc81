package engine

import "github.com/zrankdb/zrank/internal/seeded"

// tracker lists the members of a set that have changed, or may have moved, since somebody began to copy the set. Those who change the
// set add to it, under the lock that they hold anyway.
type tracker struct {
	// changed are the members, and work what it costs to read them, in bytes. Both are guarded by the set's lock: they are added to under
	// the lock for writing, and taken under the lock for reading by the one goroutine that copies.
	changed map[string]struct{}
	work    int
	next    *tracker // another one of the same set
}

// memberWork is what it costs to read a member, beside its length.
const memberWork = 48

// track makes a tracker known to those who change the set, and keeps the set in memory. The caller holds the set's lock for
// writing. O(1).
func (s *set) track(t *tracker) {
	s.pins.Add(1)
	r := s.extra()
	t.next, r.copies = r.copies, t
}

// untrack undoes track. The caller holds the set's lock for writing. O(trackers of the set).
func (s *set) untrack(t *tracker) {
	s.pins.Add(-1)
	defer s.slim()
	for at := &s.rare.copies; *at != nil; at = &(*at).next {
		if *at == t {
			*at = t.next
			return
		}
	}
}

// tracked reports whether somebody copies the set. The caller holds its lock.
func (s *set) tracked() bool { return s.rare != nil && s.rare.copies != nil }

// note tells those who copy the set that a member has changed, or may have moved. The caller holds the set's lock for writing.
func (s *set) note(member string) {
	if s.rare == nil {
		return
	}
	for t := s.rare.copies; t != nil; t = t.next {
		if _, again := t.changed[member]; again {
			continue
		}
		if t.changed == nil {
			t.changed = map[string]struct{}{}
		}
		t.changed[member] = struct{}{}
		t.work += memberWork + len(member)
	}
}

// take returns the members that have changed since the last call. The caller holds the set's lock.
func (t *tracker) take() (changed map[string]struct{}) {
	changed, t.changed, t.work = t.changed, nil, 0
	return changed
}

// putBack notes a member that a transaction has, or may have, taken out and put back as it was. The log says nothing of it.
func (s *set) putBack(member string) {
	if !seeded.Bug("copies do not hear of members put back") {
		s.note(member)
	}
	if !s.writing || seeded.Bug("members put back are forgotten") {
		return
	}
	r := s.extra()
	if _, again := r.known[member]; again { // it is on a page, or will be; what has changed it since is in the log
		return
	}
	if r.known == nil {
		r.known = map[string]struct{}{}
	}
	r.known[member] = struct{}{}
	r.returned = append(r.returned, member)
}
