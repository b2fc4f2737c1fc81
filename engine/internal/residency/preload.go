package residency

import (
	"sync"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
)

// Book reports whether a set is on the disk only, and whether it fits under the memory limit. If it fits, Book reserves the memory for it.
// booking is one lock for all sets of a Preload, so that no two of them get the same memory.
func (m *Manager) Book(s *keyspace.Set, booking *sync.Mutex) (cold, fits bool, err error) {
	m.locks.Rlock(&s.Mu, "preload", "")
	cold, id := !s.Gone && s.Cold(), s.Id()
	s.Mu.RUnlock()
	if !cold || m.accounts.Limit == 0 {
		return cold, true, nil
	}
	r, err := m.Record(id)
	booking.Lock()
	defer booking.Unlock()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if err != nil && !s.Gone { // a set that has been dropped meanwhile has no record any more
		return false, false, err
	}
	if s.Gone || !s.Cold() || m.accounts.Used.Load()+int64(guess(r)) > m.accounts.Limit {
		return !s.Gone && s.Cold(), false, nil
	}
	m.accounts.Expect(s, guess(r))
	return true, true, nil
}
