package checkpoint

import (
	"time"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/observe"
)

// Snapshot takes a snapshot, and emits EventSnapshot before and after.
func (c *Manager) Snapshot() error {
	c.taking.Lock()
	defer c.taking.Unlock()
	c.Running.Lock()
	defer c.Running.Unlock()
	c.events.Emit(observe.Event{Kind: observe.EventSnapshot})
	began := time.Now()
	bytes, err := c.takeSnapshot()
	c.Keys.Accounts.UnloadNoted()
	took := time.Since(began)
	c.Figures.ended(took, bytes, err)
	c.events.Emit(observe.Event{Kind: observe.EventSnapshot, Ended: true, Duration: took, Bytes: bytes, Err: err})
	return err
}

// takeSnapshot writes and publishes one snapshot, and returns the bytes of the pages written. It first writes out the sets with blind writes, piece
// by piece, because each must be in memory for that. Under a memory limit it writes out all sets so, and eviction need not wait for more than a
// piece; then the snapshot itself has only the sets that were dropped.
func (c *Manager) takeSnapshot() (bytes int64, err error) {
	upto, limited := c.Store.LastSeq(), c.Keys.Accounts.Limit > 0
	first := c.Keys.Accounts.Blind()
	if limited {
		first = c.Keys.All()
	}
	if bytes, err = c.writeOutAll(first, c.Store.Pacer(), nil); err != nil {
		return bytes, err
	}
	sn, err := c.Store.Snapshot(upto)
	if err != nil {
		return bytes, err
	}
	var sets []*keyspace.Set
	if !limited { // what has changed since it was written out is in the log after upto
		sets = c.Keys.All()
	}
	written, _, err := c.writeSets(sn, sets, nil)
	err = c.publish(sn, written, c.dropsUpTo(upto), err)
	if bytes += sn.Bytes(); err == nil {
		c.LastWritten.Store(bytes)
	}
	return bytes, err
}
