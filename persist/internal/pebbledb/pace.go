package pebbledb

import "time"

// A snapshot writes pages faster than Pebble flushes and compacts them, and so does a caller of many commits. When Pebble is too far behind, it
// makes all writers wait. So these wait before that point.
const (
	PaceEvery     = 1 << 20                             // callers look at Pebble's backlog every so many bytes
	paceMemory    = (pebbleStopAt - 2) * pebbleMemTable // a backlog of more bytes of memtables makes them wait
	paceSublevels = pebbleL0StopAt / 2                  // and so does a backlog of more sublevels of L0
	pacePause     = 2 * time.Millisecond                // between two checks while Pebble is behind
	paceChecks    = 500                                 // they go on after so many checks, even if Pebble does not catch up
)

// Pace counts n bytes of pages that the running snapshot has just written. Every PaceEvery bytes it is CatchUp: while it waits, DiskWait grows if
// the disk does not answer.
func (d *DB) Pace(n int) error {
	if d.unpaced += n; d.unpaced < PaceEvery {
		return nil
	}
	d.unpaced = 0
	d.watch.pacing.CompareAndSwap(0, d.watch.now())
	caught, err := d.CatchUp()
	if caught || err != nil {
		d.watch.pacing.Store(0)
	}
	return err
}

// CatchUp returns when Pebble can take further pages without holding up commits, or after a second; caught is false then.
func (d *DB) CatchUp() (caught bool, err error) {
	for range paceChecks {
		behind, err := d.behind()
		if err != nil || !behind {
			return true, err
		}
		d.pause(pacePause)
		if err := d.Failure(); err != nil {
			return false, err
		}
	}
	return false, nil
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
