package checkpoint

import (
	"context"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/persist"
)

// A write-out writes some sets as they are, so that they can leave memory before the next snapshot: see persist.Store.WriteOut. Snapshots and
// write-outs take turns.

// One piece of a write-out ends after so many bytes of pages. Others wait for a piece. The pieces of a snapshot are small, since it pauses while
// others commit.
const (
	pieceBytes    = 1 << 20
	snapshotBytes = 64 << 10
)

// WriteOut writes those of the sets that have changed since they were last written. The log stays as it is. A set that no commit has changed
// meanwhile is not dirty then. After each piece, unless done is nil, it calls done with the number of further sets that it is done with, and how
// many of them it has written. After an error the sets of the piece that failed, and those after it, count as changed. O(bytes changed).
func (c *Manager) WriteOut(sets []*keyspace.Set, done func(n, written int)) error {
	c.Running.Lock()
	defer c.Running.Unlock()
	_, err := c.writeOutAll(sets, nil, done)
	return err
}

// WriteStaged writes a set that has no key yet, and gives way to commits. It may not use the reserve of the disk, as a snapshot may, since it frees nothing. After an error the set
// counts as changed. Errors: that of ctx, ErrDiskFull, those of Snapshot. O(bytes).
func (c *Manager) WriteStaged(ctx context.Context, s *keyspace.Set) error {
	c.Running.Lock()
	defer c.Running.Unlock()
	sn, err := c.Store.WriteOut(c.Store.Pacer())
	if err != nil {
		return err
	}
	written := map[string]*WrittenSet{}
	w, err := c.writeSet(sn, s, written, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return c.Store.Refused()
	})
	if w != nil {
		written[w.Id] = w
	}
	return c.publish(sn, written, nil, err)
}

// writeOutAll is WriteOut for a caller that holds Running; it unlocks Running between two pieces. It gives way to commits by the pacer, which
// may be nil. It returns the bytes of the pages written.
func (c *Manager) writeOutAll(sets []*keyspace.Set, p *persist.Pacer, done func(n, written int)) (bytes int64, err error) {
	for len(sets) > 0 && err == nil {
		size, written, rest := int64(0), 0, []*keyspace.Set(nil)
		if changed := fromDirty(sets); len(changed) > 0 {
			size, written, rest, err = c.writePiece(changed, p)
		}
		bytes += size
		c.Running.Unlock()
		if err == nil && done != nil {
			done(len(sets)-len(rest), written)
		}
		c.Running.Lock()
		sets = rest
	}
	return bytes, err
}

// fromDirty returns the sets from the first one that has changed on.
func fromDirty(sets []*keyspace.Set) []*keyspace.Set {
	for i, s := range sets {
		s.Mu.RLock()
		dirty := s.Exists && !s.Gone && s.Dirty()
		s.Mu.RUnlock()
		if dirty {
			return sets[i:]
		}
	}
	return nil
}

// writePiece writes out sets until the piece is full. It returns the bytes of the pages written, the number of sets written, and the rest of the
// sets.
func (c *Manager) writePiece(sets []*keyspace.Set, p *persist.Pacer) (bytes int64, n int, rest []*keyspace.Set, err error) {
	sn, err := c.Store.WriteOut(p)
	if err != nil {
		return 0, 0, nil, err
	}
	part := &piece{most: pieceBytes}
	if p != nil {
		part.most = snapshotBytes
	}
	written, rest, err := c.writeSets(sn, sets, part)
	err = c.publish(sn, written, nil, err)
	for _, s := range part.loaded {
		c.Keys.Accounts.LeaveUnused(s)
	}
	return sn.Bytes(), len(written), rest, err
}
