package keyspace

import "github.com/zrankdb/zrank/engine/internal/facts"

// A set leaves memory for one of two reasons: the memory limit (see residency), or a call of Engine.Unload.

// LeaveLater evicts a set, now if that is possible, or else after the next snapshot. The caller holds the set's lock for writing.
func (a *Accounts) LeaveLater(s *Set) {
	if a.Leave(s) {
		return
	}
	a.unloadMu.Lock()
	defer a.unloadMu.Unlock()
	if a.Unloads == nil {
		a.Unloads = map[*Set]struct{}{}
	}
	a.Unloads[s] = struct{}{}
}

// UnloadNoted evicts the sets that LeaveLater could not evict at once. It is called after each snapshot.
func (a *Accounts) UnloadNoted() {
	a.unloadMu.Lock()
	noted := a.Unloads
	a.Unloads = nil
	a.unloadMu.Unlock()
	for s := range noted {
		a.LeaveUnused(s)
	}
}

// LeaveUnused is LeaveLater for a set that was to leave, unless it has been used since. The caller holds no lock.
func (a *Accounts) LeaveUnused(s *Set) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if !s.Gone && s.Exists && s.Entries != nil && s.Used.Load() == Leaving {
		a.LeaveLater(s)
	}
}

// Leave frees the memory of a set if the disk has its latest state and no transaction uses it. It returns false if the set stays.
// The caller holds the set's lock for writing.
func (a *Accounts) Leave(s *Set) bool {
	if s.Pins.Load() > 0 || s.Writing || !s.Stored() || s.Dirty() {
		return false
	}
	s.Entries = nil
	s.SetDigest(facts.Digest{})
	s.Slim()
	took := s.Size
	a.Account(s)
	s.Size = took
	s.marks.set(left, true)
	a.Evicted.Add(1)
	return true
}
