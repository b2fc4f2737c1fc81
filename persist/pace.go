package persist

import "time"

// A snapshot brings pages faster than Pebble puts them into tables. When it is too far behind, Pebble makes writers wait, all
// of them; so a snapshot waits before that.
const (
	paceEvery     = 1 << 20              // bytes of pages between two looks
	paceMemTables = pebbleStopAt - 2     // memtables there may be, the one being filled among them
	paceSublevels = pebbleL0StopAt / 2   // of tables not sorted in yet
	pacePause     = 2 * time.Millisecond // between two looks while Pebble is behind
)

// pebbleL0StopAt is Pebble's own limit, which we leave as it is.
const pebbleL0StopAt = 12

// pace returns when Pebble can take further pages without holding up commits.
func (s *Store) pace() error {
	s.watch.pacing.Store(s.watch.now())
	defer s.watch.pacing.Store(0)
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

func (s *Store) behind() (bool, error) {
	if err := s.acquire(); err != nil {
		return false, err
	}
	defer s.release()
	m := s.db.Metrics()
	return m.MemTable.Count > paceMemTables || m.Levels[0].Sublevels > paceSublevels, nil
}
