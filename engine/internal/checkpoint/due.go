package checkpoint

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// A snapshot is taken in the background when the log is longer than Options.SnapshotBytes and than half of what the last one
// has written, so that snapshots of a big engine that changes everywhere write two bytes of pages for one of log at most; and
// every Options.SnapshotAge, if anything is in the log.
//
// Close takes one if the next Open would be slow without: Open replays the log, and loads each set that the log names, however
// little of it has changed.

const (
	setMembers = 100 // members that take as long to load as it takes to find one set on the disk

	// closeTimeout is how long a disk may be silent before Close gives up its snapshot. A flush on a busy machine may take a second.
	closeTimeout = 3 * time.Second
)

const (
	retryFirst = time.Second // after a snapshot that failed; then twice as long each time, up to
	retryMost  = time.Minute
)

// longest returns up to where the log may grow.
func (c *Manager) longest() int64 { return max(c.bytes, c.LastWritten.Load()/2) }

// SnapshotIfDue wakes the goroutine that takes snapshots when the log has become long.
func (c *Manager) SnapshotIfDue() {
	if c.bytes > 0 && c.Store.LogBytes() > c.longest() {
		select {
		case c.due <- struct{}{}:
		default:
		}
	}
}

// SnapshotWhenDue takes snapshots until Close, or until the disk has failed.
func (c *Manager) SnapshotWhenDue() {
	defer c.life.Stopped.Done()
	ticks, stop := c.ages()
	defer stop()
	for {
		least := int64(0)
		select {
		case <-c.life.Stop:
			return
		case <-c.due:
			least = c.longest()
		case <-ticks:
		}
		if c.Store.LogBytes() > least && !c.snapshotAtLast() {
			return
		}
	}
}

// ages beats once a SnapshotAge.
func (c *Manager) ages() (<-chan time.Time, func()) {
	if c.bytes <= 0 || c.age <= 0 {
		return nil, func() {}
	}
	t := time.NewTicker(c.age)
	return t.C, t.Stop
}

// snapshotAtLast takes a snapshot, however often it takes; false: there will be none any more.
func (c *Manager) snapshotAtLast() bool {
	for pause := retryFirst; ; pause = min(2*pause, retryMost) {
		err := c.Snapshot()
		if err == nil {
			return true
		}
		if errors.Is(err, persist.ErrPersistence) {
			return false
		}
		select {
		case <-c.life.Stop:
			return false
		case <-time.After(pause):
		}
	}
}

// LastSnapshot waits for the snapshot that is running, and takes others until the next Open is quick, unless the disk is silent.
func (c *Manager) LastSnapshot() error {
	done := make(chan error, 1)
	go func() {
		c.life.Stopped.Wait()
		done <- c.snapshotForOpen()
	}()
	t := time.NewTicker(closeTimeout / 30)
	defer t.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-t.C:
			if c.Store.DiskWait() > closeTimeout {
				return nil // the log has everything
			}
		}
	}
}

// snapshotForOpen takes a snapshot if Open would be slow without, and a second one if commits that Close found under way have made
// it so again. Updates that begin after Close are refused.
func (c *Manager) snapshotForOpen() error {
	for range 2 {
		if !c.slowToOpen() {
			return nil
		}
		if err := c.Snapshot(); err != nil {
			return err
		}
	}
	return nil
}

// slowToOpen reports whether the next Open would read much. It does not count sets that a transaction has locked: Close waits for no
// closure. O(sets).
func (c *Manager) slowToOpen() bool {
	if c.bytes <= 0 {
		return false
	}
	if c.Store.LogBytes() > c.CloseLogBytes {
		return true
	}
	members := 0
	for _, s := range c.Keys.All() {
		if !s.Mu.TryLock() {
			continue
		}
		if s.Exists && !s.Gone && s.Changed > s.Base {
			members += setMembers + s.Entries.Len()
		}
		s.Mu.Unlock()
	}
	return members > c.CloseMembers
}
