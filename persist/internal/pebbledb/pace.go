package pebbledb

import "time"

// A snapshot brings pages faster than Pebble puts them into tables. When it is too far behind, Pebble makes writers wait, all
// of them; so a snapshot waits before that.
const (
	PaceEvery     = 1 << 20                             // bytes of pages between two looks
	paceMemory    = (pebbleStopAt - 2) * pebbleMemTable // bytes of memtables there may be
	paceSublevels = pebbleL0StopAt / 2                  // of tables not sorted in yet
	pacePause     = 2 * time.Millisecond                // between two looks while Pebble is behind
	paceLooks     = 500                                 // at most: a Pebble that does not catch up must not hold up snapshots for ever
)

// Pace returns when Pebble can take further pages without holding up commits, or after a second.
func (d *DB) Pace() error {
	d.watch.pacing.CompareAndSwap(0, d.watch.now())
	for range paceLooks {
		behind, err := d.behind()
		if err != nil || !behind {
			d.watch.pacing.Store(0)
			return err
		}
		select {
		case <-d.Failed:
			return d.Failure()
		case <-time.After(pacePause):
		}
	}
	return nil
}

// behind counts bytes of memtables, as Pebble does: the first ones after Open are small, and Pebble does not flush those that
// are full before they have half a memtable together.
func (d *DB) behind() (bool, error) {
	if err := d.Acquire(); err != nil {
		return false, err
	}
	defer d.Release()
	m := d.Pebble.Metrics()
	return m.MemTable.Size > paceMemory || m.Levels[0].Sublevels > paceSublevels, nil
}
