package setops

import (
	"context"
	"errors"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/txn"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A set that is too big for one commit is staged: it goes to the log by many commits, under an id of its own and without a key. Then one
// small commit gives it its key, and drops the set that had the key before. Open drops staged sets that have not got their keys.

const (
	stageStep  = 32 // members that are copied out of the set at a time
	wholeParts = 4  // a set of at most so many StageBytes of memory goes to the log in one commit
)

// Install puts z, with an expiry and a digest, under a key, in place of the set that the key has. First it calls still with that set's
// state; if still returns false, it returns errOvertaken. z becomes visible at once, and the caller must not use it any more. An empty z
// leaves the key without a set. If ctx ends before that, nothing has changed. Errors: those of Update, that of ctx.
func (o *Operations) Install(ctx context.Context, key string, z *zset.IntSet, expires int64, d facts.Digest, still func(Instant) bool) error {
	put := func(h *txn.Handle) { h.Put(z, expires, d) }
	if o.m.Store != nil && z.Size() > wholeParts*o.StageBytes {
		staged, err := o.Stage(ctx, z, expires, d)
		defer o.Unstage(staged)
		if err != nil {
			return err
		}
		put = func(h *txn.Handle) { h.Adopt(staged) }
	}
	return o.m.Update(txn.KeepCold, []string{key}, func(tx *txn.Tx) error {
		s, now := txn.LockedBy(tx)[0], Instant{}
		if s.S.Exists {
			now = Instant{s.S, s.S.Version, s.S.Expires()}
		}
		if !still(now) {
			return errOvertaken
		}
		put(s)
		return nil
	})
}

// Stage writes a set to the log in many commits and returns it. It returns the set after an error too; the caller must call Unstage then.
func (o *Operations) Stage(ctx context.Context, z *zset.IntSet, expires int64, d facts.Digest) (*keyspace.Set, error) {
	id := o.m.Keys.FreshID("staged", o.m.LastSeq())
	s := &keyspace.Set{Key: id, Entries: z}
	s.Version, s.Rare = uint64(z.Len()), &keyspace.Rare{Id: id, Other: true, Hidden: true, Expires: expires, Digest: d}
	n, ints := z.Len(), z.Integers()
	o.m.Keys.Stage(s, o.m.LastSeq()) // from now on snapshots see it, and note in it what they have written
	var b persist.Batch
	bulk := o.m.Store.Bulk()
	var entries []zset.IntEntry
	var value [8 + zset.MaxTieWidth]byte
	for lo := 0; lo < n; {
		b.Reset()
		size := 0
		s.Mu.RLock()
		b.Create(id, s.Facts().Encode())
		for size < o.StageBytes && lo < n {
			entries = z.Append(entries[:0], lo, lo+stageStep)
			for _, x := range entries {
				bytes := len(x.Member) + len(x.Tie) + 16
				if size > 0 && size+bytes > o.StageBytes { // a member bigger than that has a commit of its own
					size = o.StageBytes
					break
				}
				b.Put(id, x.Member, facts.AppendValue(value[:0], ints, x.Score, x.Tie))
				size += bytes
				lo++
			}
		}
		s.Mu.RUnlock()
		if err := ctx.Err(); err != nil {
			return s, err
		}
		if err := o.appendStaged(s, &b, bulk, size); err != nil {
			return s, locks.ClosedError(err)
		}
	}
	return s, nil
}

// appendStaged appends one commit of about size bytes of a staged set to the log, and waits for it, which keeps the queue of the log short.
func (o *Operations) appendStaged(s *keyspace.Set, b *persist.Batch, bulk *persist.Bulk, size int) error {
	s.Mu.Lock()
	seq, err := o.m.Store.Append(b)
	if err == nil {
		s.Commit(seq)
		s.Exists = true
	}
	s.Mu.Unlock()
	if err != nil {
		return err
	}
	if err := bulk.Wait(seq, size); err != nil {
		return err
	}
	o.m.Checkpoints.SnapshotIfDue()
	return nil
}

// Unstage drops a set that is still staged. If the log refuses the commit, the next Open drops the set.
func (o *Operations) Unstage(s *keyspace.Set) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if !s.Hidden() {
		return
	}
	o.m.Keys.Unstage(s)
	s.Gone = true
	if !s.Exists {
		o.m.Keys.Ids.Remove(s.Rare.Id)
		return
	}
	var b persist.Batch
	b.Drop(s.Rare.Id)
	seq, err := o.m.Store.Append(&b)
	if s.Exists = false; err != nil { // the log still has it, so its id stays reserved
		s.Commit(o.m.Store.LastSeq())
		o.m.Checkpoints.LeftStore(s, s.Changed) // the next snapshot drops its record
		return
	}
	s.Commit(seq)
	o.m.Vanished(s, seq)
}

var errOvertaken = errors.New("engine: the set to be replaced has changed")
