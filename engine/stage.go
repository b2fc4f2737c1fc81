package engine

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A set that is too big for one commit is staged: it is written under an id of its own and without a key. Then one
// small commit gives it its key, and drops the set that had the key before. Open drops staged sets that have not got their keys.
//
// If nothing follows the log, the set is written as pages, like a snapshot of it, after one commit that makes it. Its members never are in the log, and the commit that
// gives it its key says so. A crash that takes the pages takes that commit too, since both are in Pebble's log, in this order. Otherwise many commits put its members.

const (
	stageStep  = 32 // members that are copied out of the set at a time
	wholeParts = 4  // a set of at most so many StageBytes of memory goes to the log in one commit
)

// install puts z, with an expiry and a digest, under a key, in place of the set that the key has. First it calls still with that set's
// state; if still returns false, it returns errOvertaken. z becomes visible at once, and the caller must not use it any more. An empty z
// leaves the key without a set. If ctx ends before that, nothing has changed. Errors: those of Update, that of ctx.
func (o *operations) install(ctx context.Context, key string, z *zset.IntSet, expires int64, d facts.Digest, still func(instant) bool) error {
	put := func(h *handle) { h.put(z, expires, d) }
	if o.m.store != nil && z.Size() > wholeParts*o.stageBytes {
		z.TouchPages() // the store has none of them, though z may have been loaded from pages elsewhere
		staged, err := o.stage(ctx, z, expires, d)
		defer o.unstage(staged)
		if err != nil {
			return err
		}
		put = func(h *handle) { h.adopt(staged) }
	}
	return o.m.update(ctx, keepCold, []string{key}, func(tx *Tx) error {
		s, now := lockedBy(tx)[0], instant{}
		if s.S.Exists {
			now = instant{s.S, s.S.Version, s.S.Expires()}
		}
		if !still(now) {
			return errOvertaken
		}
		put(s)
		return nil
	})
}

// stage writes a set without a key and returns it. It returns the set after an error too; the caller must call Unstage then.
func (o *operations) stage(ctx context.Context, z *zset.IntSet, expires int64, d facts.Digest) (*keyspace.Set, error) {
	id := o.m.keys.FreshID("staged", o.m.lastSeq())
	s := &keyspace.Set{Key: id, Entries: z}
	s.Version, s.Rare = uint64(z.Len()), &keyspace.Rare{Id: id, Other: true, Hidden: true, Expires: expires, Digest: d}
	write := o.stageInLog
	if !o.m.store.Followed() {
		s.Rare.Unlogged, write = true, o.stagePages
	}
	return s, locks.ClosedError(write(ctx, s))
}

// stagePages writes a set as pages.
func (o *operations) stagePages(ctx context.Context, s *keyspace.Set) error {
	o.m.keys.Stage(s, keyspace.NotFilled)
	var b persist.Batch
	b.Create(s.Id(), s.Facts().Encode())
	if err := o.appendStaged(s, &b); err != nil {
		return err
	}
	return o.m.checkpoints.WriteStaged(ctx, s)
}

// stageInLog writes a set to the log in many commits. It waits for each, which keeps the queue of the log short.
func (o *operations) stageInLog(ctx context.Context, s *keyspace.Set) error {
	o.m.keys.Stage(s, o.m.lastSeq()) // from now on snapshots see it, and note in it what they have written
	var b persist.Batch
	bulk := o.m.store.Bulk()
	for lo, size := 0, 0; lo < s.Entries.Len(); {
		b.Reset()
		b.Create(s.Id(), s.Facts().Encode())
		lo, size = o.putStaged(s, &b, lo)
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := o.appendStaged(s, &b); err != nil {
			return err
		}
		if err := bulk.Wait(ctx, s.Changed, size); err != nil {
			return err
		}
		o.m.checkpoints.SnapshotIfDue()
	}
	return nil
}

// putStaged puts members of a staged set, from rank lo on, into a commit until that has about StageBytes. It returns the rank after the last one, and the size.
func (o *operations) putStaged(s *keyspace.Set, b *persist.Batch, lo int) (hi, size int) {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	z := s.Entries
	var entries []zset.IntEntry
	var value [8 + zset.MaxTieWidth]byte
	for hi = lo; size < o.stageBytes && hi < z.Len(); {
		entries = z.Append(entries[:0], hi, hi+stageStep)
		for _, x := range entries {
			bytes := len(x.Member) + len(x.Tie) + 16
			if size > 0 && size+bytes > o.stageBytes {
				return hi, size // a member bigger than that has a commit of its own
			}
			b.Put(s.Id(), x.Member, facts.AppendValue(value[:0], z.Integers(), x.Score, x.Tie))
			size += bytes
			hi++
		}
	}
	return hi, size
}

// appendStaged appends one commit of a staged set to the log.
func (o *operations) appendStaged(s *keyspace.Set, b *persist.Batch) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	seq, err := o.m.store.Append(b)
	if err != nil {
		return err
	}
	s.Commit(seq)
	s.Exists = true
	return nil
}

// unstage drops a set that is still staged. If the log refuses the commit, the next Open drops the set.
func (o *operations) unstage(s *keyspace.Set) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if !s.Hidden() {
		return
	}
	o.m.keys.Unstage(s)
	s.Gone = true
	if !s.Exists {
		o.m.keys.Ids.Remove(s.Rare.Id)
		return
	}
	var b persist.Batch
	b.Drop(s.Rare.Id)
	seq, err := o.m.store.Append(&b)
	if s.Exists = false; err != nil { // the log still has it, so its id stays reserved
		s.Commit(o.m.store.LastSeq())
		o.m.checkpoints.LeftStore(s, s.Changed) // the next snapshot drops its record
		return
	}
	s.Commit(seq)
	o.m.vanished(s, seq)
}

var errOvertaken = errors.New("engine: the set to be replaced has changed")
