package pebbledb

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// A full disk is not a failed disk: the store notices it before a write fails. It then refuses commits; reads, flushes and snapshots go
// on. Pebble needs space to free space; the reserve is for that.

// Full returns the ErrDiskFull that a commit gets, or nil. A commit that only removes may use the first quarter of the reserve.
func (d *DB) Full(onlyRemoves bool) error {
	full := d.space.full.Load()
	if full == nil || onlyRemoves && !d.space.fullForRemoves.Load() {
		return nil
	}
	return *full
}

// free returns the free bytes of the disk and the bytes to keep free; false: the file system does not tell, or there is no reserve.
func (d *DB) free() (free, keep int64, ok bool) {
	if d.space.reserve < 0 {
		return 0, 0, false
	}
	u, err := d.FS.GetDiskUsage(d.Dir)
	if err != nil {
		return 0, 0, false
	}
	return int64(u.AvailBytes), d.space.keep(int64(u.TotalBytes)), true
}

// watchSpace checks the free space until the files are closed. It runs in its own goroutine, because the query may hang with the disk.
func (d *DB) watchSpace() {
	t := time.NewTicker(SpaceInterval)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			d.CheckSpace()
		case <-d.Closed:
			return
		}
	}
}

// CheckSpace refuses commits below the reserve, and those that only remove below three quarters of it. It accepts them again when a
// quarter more than the reserve is free.
func (d *DB) CheckSpace() {
	free, keep, ok := d.free()
	if !ok || d.Failure() != nil {
		d.space.ahead.Store(spaceAhead)
		return
	}
	d.space.ahead.Store(min(spaceAhead, keep/4))
	d.space.mu.Lock()
	was := d.space.full.Load() != nil
	switch {
	case free < keep:
		err := fmt.Errorf("%w: %s has %d bytes free, and %d are kept back", errs.ErrDiskFull, d.Dir, free, keep)
		d.space.full.Store(&err)
	case free >= keep+keep/4:
		d.space.full.Store(nil)
	}
	d.space.fullForRemoves.Store(free < keep-keep/4)
	full := d.space.full.Load() != nil
	d.space.mu.Unlock()
	if full != was {
		d.Report(Event{Kind: EventDiskFull, Ended: was, Free: free})
	}
}

// countWrite counts n bytes that are about to be written, and checks the free space after every spaceAhead bytes.
func (d *DB) countWrite(n int) {
	if d.space.ahead.Add(int64(-n)) < 0 {
		d.CheckSpace()
	}
}

// SpaceForPages returns ErrDiskFull if writing n bytes of pages would leave less than half of the reserve free. Snapshots may use the
// other half, since they free the space of the log. It counts n twice: Pebble writes a page twice before it deletes the first copy.
func (d *DB) SpaceForPages(n int) error {
	free, keep, ok := d.free()
	if ok && free-2*int64(n) < keep/2 {
		return fmt.Errorf("%w: a snapshot needs %d bytes, %s has %d, and %d are kept back", errs.ErrDiskFull, n, d.Dir, free, keep/2)
	}
	return nil
}

// SpaceForTables returns ErrDiskFull if writing n bytes of tables anew would leave less than half of the reserve free.
func (d *DB) SpaceForTables(n int64) error {
	free, keep, ok := d.free()
	if ok && free-n < keep/2 {
		return fmt.Errorf("%w: a compaction needs %d bytes, %s has %d, and %d are kept back", errs.ErrDiskFull, n, d.Dir, free, keep/2)
	}
	return nil
}
