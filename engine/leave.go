package engine

// Sets leave memory for two reasons: the memory limit (see residency), or because they were asked to.

// leaving is in set.used of one that is to leave memory. accounts.now is never 0.
const leaving = 0

// leaveLater makes a set leave memory, at once or after the next snapshot. The caller holds its lock for writing.
func (a *accounts) leaveLater(s *set) {
	if a.leave(s) {
		return
	}
	a.unloadMu.Lock()
	defer a.unloadMu.Unlock()
	if a.unloads == nil {
		a.unloads = map[*set]struct{}{}
	}
	a.unloads[s] = struct{}{}
}

// unloadNoted goes, after a snapshot, through the sets that could not leave before.
func (a *accounts) unloadNoted() {
	a.unloadMu.Lock()
	noted := a.unloads
	a.unloads = nil
	a.unloadMu.Unlock()
	for s := range noted {
		s.mu.Lock()
		if !s.gone && s.exists && s.z != nil && s.used.Load() == leaving {
			a.leaveLater(s)
		}
		s.mu.Unlock()
	}
}

// leave lets go of what a set holds in memory if the disk has it as it is and nobody needs it; false: it stays. The caller holds
// its lock for writing.
func (a *accounts) leave(s *set) bool {
	if s.pins.Load() > 0 || s.writing || s.base == 0 || s.changed > s.base {
		return false
	}
	s.z = nil
	s.setDigest(digest{})
	s.slim()
	a.account(s)
	a.evicted.Add(1)
	return true
}
