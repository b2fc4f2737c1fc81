package residency

import "github.com/zrankdb/zrank/engine/internal/keyspace"

// Preload loads a set that is on the disk only, if it fits under the memory limit. It evicts no other set. The caller holds no lock.
func (m *Manager) Preload(s *keyspace.Set) (loaded, fits bool, err error) {
	m.locks.Rlock(&s.Mu, "preload", "")
	cold := !s.Gone && s.Cold()
	s.Mu.RUnlock()
	if !cold {
		return false, true, nil
	}
	need := m.needs(s)
	if !m.Room.tryReserve(need) {
		return false, false, nil
	}
	err = m.Load(s, need)
	return err == nil, true, err
}
