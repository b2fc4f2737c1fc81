package engine

import "sync"

// book reports whether a set is on the disk only, and whether there is room for it in memory, which is its own from then on.
func (m *residency) book(s *set, booking *sync.Mutex) (cold, fits bool, err error) {
	m.locks.rlock(&s.mu, "preload", "")
	cold, id := !s.gone && s.cold(), s.id()
	s.mu.RUnlock()
	if !cold || m.accounts.limit == 0 {
		return cold, true, nil
	}
	r, err := m.record(id)
	booking.Lock()
	defer booking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil && !s.gone { // one that has been dropped meanwhile has no record any more
		return false, false, err
	}
	if s.gone || !s.cold() || m.accounts.used.Load()+int64(guess(r)) > m.accounts.limit {
		return !s.gone && s.cold(), false, nil
	}
	m.accounts.expect(s, guess(r))
	return true, true, nil
}
