package checkpoint

import (
	"errors"
	"time"

	"github.com/zrankdb/zrank/persist"
)

// A background goroutine takes a snapshot in two cases:
//
//   - The log is longer than Options.SnapshotBytes, and longer than half of the pages that the last snapshot wrote. The second condition
//     matters to a big engine that changes everywhere: it writes at most two bytes of pages for one byte of log.
//   - Options.SnapshotAge has passed, and the log is not empty.
//
// Close takes a snapshot if the next Open would be slow without it: Open replays the log, and loads each set that the log names, however
// few of its members have changed.

const (
	setMembers = 100 // finding one set on the disk takes as long as loading this many members

	// closeTimeout is how long one write or flush may take before Close gives up its snapshot. A flush on a busy machine may take a second.
	closeTimeout = 3 * time.Second
)

const (
	retryFirst = time.Second // pause after a failed snapshot; each further failure doubles it, up to retryMost
	retryMost  = time.Minute
)

// dueBytes returns the length of the log above which a snapshot is due.
func (c *Manager) dueBytes() int64 { return max(c.bytes, c.LastWritten.Load()/2) }

// SnapshotIfDue wakes the goroutine that takes snapshots when the log has become long.
func (c *Manager) SnapshotIfDue() {
	if c.bytes > 0 && c.Store.LogBytes() > c.dueBytes() {
		select {
		case c.due <- struct{}{}:
		default:
		}
	}
}

// SnapshotWhenDue takes snapshots until Close, or until the disk has failed.
func (c *Manager) SnapshotWhenDue() {
	defer c.life.Stopped.Done()
	ticks, stop := c.ageTicker()
	defer stop()
	for {
		minBytes := int64(0)
		select {
		case <-c.life.Stop:
			return
		case <-c.due:
			minBytes = c.dueBytes()
		case <-ticks:
		}
		if c.Store.LogBytes() > minBytes && !c.snapshotWithRetry() {
			return
		}
	}
}

// ageTicker returns a channel that receives once every Options.SnapshotAge, and a function that stops it. The channel is nil if snapshots
// in the background are off.
func (c *Manager) ageTicker() (<-chan time.Time, func()) {
	if c.bytes <= 0 || c.age <= 0 {
		return nil, func() {}
	}
	t := time.NewTicker(c.age)
	return t.C, t.Stop
}

// snapshotWithRetry tries until a snapshot succeeds. It returns false if Close has begun or the disk has failed.
func (c *Manager) snapshotWithRetry() bool {
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

// LastSnapshot waits for the engine's goroutines, and then takes the snapshots that the next Open needs to be quick. It gives up when a
// write or flush of the disk takes longer than closeTimeout.
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

// snapshotForOpen takes a snapshot if the next Open would be slow without it. Commits that were under way when Close began may make Open
// slow again; then it takes a second one. Updates that begin after Close are refused.
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

// slowToOpen reports whether the next Open would read much. It does not count sets that a transaction has locked, because Close does not
// wait for closures. O(sets).
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
		if s.Exists && !s.Gone && s.Dirty() {
			members += setMembers + s.Len()
		}
		s.Mu.Unlock()
	}
	return members > c.CloseMembers
}
