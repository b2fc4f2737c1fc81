package persist

import "time"

// A snapshot brings pages faster than Pebble puts them into tables. When it is too far behind, Pebble makes writers wait, all
// of them; so a snapshot waits before that.
const (
	paceEvery     = 1 << 20                             // bytes of pages between two looks
	paceMemTables = (pebbleStopAt - 2) * pebbleMemTable // bytes of memtables there may be, the one being filled among them
	paceSublevels = pebbleL0StopAt / 2                  // of tables not sorted in yet
	pacePause     = 2 * time.Millisecond                // between two looks while Pebble is behind
)

// pebbleL0StopAt is Pebble's own limit, which we leave as it is.
const pebbleL0StopAt = 12

// pace returns when Pebble can take further pages without holding up commits.
func (s *Store) pace() error {
	for {
		behind, err := s.behind()
		if err != nil || !behind {
			return err
		}
		select {
		case <-s.failed:
			return s.failure()
		case <-time.After(pacePause):
		}
	}
}

// behind counts bytes of memtables, as Pebble does: the first ones after Open are small, and Pebble does not flush those that
// are full before they have half a memtable together.
func (s *Store) behind() (bool, error) {
	if err := s.acquire(); err != nil {
		return false, err
	}
	defer s.release()
	m := s.db.Metrics()
	return m.MemTable.Size > paceMemTables || m.Levels[0].Sublevels > paceSublevels, nil
}
