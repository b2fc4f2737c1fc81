package pebbledb

import "time"

// A snapshot writes pages faster than Pebble flushes and compacts them. When Pebble is too far behind, it makes all writers wait. So a
// snapshot waits before that point.
const (
	PaceEvery     = 1 << 20                             // a snapshot checks Pebble's backlog every so many bytes of pages
	paceMemory    = (pebbleStopAt - 2) * pebbleMemTable // a backlog of more bytes of memtables makes the snapshot wait
	paceSublevels = pebbleL0StopAt / 2                  // and so does a backlog of more sublevels of L0
	pacePause     = 2 * time.Millisecond                // between two checks while Pebble is behind
	paceChecks    = 500                                 // the snapshot goes on after so many checks, even if Pebble does not catch up
)

// Pace returns when Pebble can take further pages without holding up commits, or after a second.
func (d *DB) Pace() error {
	d.watch.pacing.CompareAndSwap(0, d.watch.now())
	for range paceChecks {
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

// behind reports whether Pebble's backlog is too large. It counts bytes of memtables rather than memtables, as Pebble does: the first
// memtables after Open are small, and Pebble does not flush full ones before they have half a memtable together.
func (d *DB) behind() (bool, error) {
	if err := d.Acquire(); err != nil {
		return false, err
	}
	defer d.Release()
	m := d.Pebble.Metrics()
	return m.MemTable.Size > paceMemory || m.Levels[0].Sublevels > paceSublevels, nil
}
