package residency

import "github.com/zrankdb/zrank/engine/internal/keyspace"

// Preload loads a set that is on the disk only, if it fits under the memory limit. It evicts no other set. The caller holds no lock.
func (m *Manager) Preload(s *keyspace.Set) (loaded, fits bool, err error) {
	if !m.cold(s) {
		return false, true, nil
	}
	w := &waiter{wants: []*keyspace.Set{s}, needs: []int64{m.needs(s)}}
	if !m.Room.tryReserve(w) {
		return false, false, nil
	}
	err = m.Load(s, w.needs[0])
	m.Unpin(w.wants)
	return err == nil, true, err
}
