package pebbledb

import (
	"fmt"
	"time"

	"github.com/zrankdb/zrank/persist/internal/errs"
)

// A full disk is not a failed disk: it is noticed before a write fails. Commits are refused; reads, flushes and snapshots go on. Pebble needs space to give space back, and that is what the reserve is for.

// Full returns the ErrDiskFull that a commit is to be answered, or nil. One that only removes goes on for the first quarter of the
// reserve.
func (d *DB) Full(onlyRemoves bool) error {
	full := d.space.full.Load()
	if full == nil || onlyRemoves && !d.space.fuller.Load() {
		return nil
	}
	return *full
}

// free returns the free bytes and those to keep free; false: there is no telling, or no reserve.
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

// watchSpace runs until the files are closed. It is a goroutine of its own: the question may hang on a disk that does.
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
	d.space.fuller.Store(free < keep-keep/4)
	full := d.space.full.Load() != nil
	d.space.mu.Unlock()
	if full != was {
		d.Report(Event{Kind: EventDiskFull, Ended: was, Free: free})
	}
}

// writes counts what is about to be written, and looks at the disk when much has been since the last look.
func (d *DB) writes(n int) {
	if d.space.ahead.Add(int64(-n)) < 0 {
		d.CheckSpace()
	}
}

// SpaceForPages returns ErrDiskFull if n bytes of pages would take more than half of the reserve. Snapshots may use the other
// half, since they give back the space of the log. Pebble writes a page twice before it deletes the first copy.
func (d *DB) SpaceForPages(n int) error {
	free, keep, ok := d.free()
	if ok && free-2*int64(n) < keep/2 {
		return fmt.Errorf("%w: a snapshot needs %d bytes, %s has %d, and %d are kept back", errs.ErrDiskFull, n, d.Dir, free, keep/2)
	}
	return nil
}
