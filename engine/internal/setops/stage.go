package setops

import (
	"context"
	"sync"

	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/engine/internal/txn"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A set that is too big for one commit goes to the log by many, under an id of its own and without a key: it is staged. Then one
// small commit gives it its key, and drops what had the key before. Open drops staged sets that never got that far.

const (
	StageBytes = 1 << 20 // about what one of many commits has
	stageStep  = 32      // members that are copied out at a time
	wholeParts = 4       // a set that takes less memory than so many goes to the log in one commit
)

// Install makes a set, which nobody else uses, that of a key, in the place of what the key had, ties and expiry and all, if still
// returns true for what the key has at that moment. Otherwise it returns errOvertaken. It becomes visible at once. An empty one leaves the key
// without a set. If ctx ends before that, nothing has changed. Errors: those of Update, that of ctx.
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
		s, is := txn.LockedBy(tx)[0], Instant{}
		if s.S.Exists {
			is = Instant{s.S, s.S.Version, s.S.Expires()}
		}
		if !still(is) {
			return errOvertaken
		}
		put(s)
		return nil
	})
}

// Stage writes a set to the log and returns it, after an error too: then it is to be unstaged.
func (o *Operations) Stage(ctx context.Context, z *zset.IntSet, expires int64, d facts.Digest) (*keyspace.Set, error) {
	id := o.m.Keys.FreshID("staged", o.m.LastSeq())
	s := keyspace.MakeSet(id, new(sync.RWMutex))
	s.Entries, s.Version, s.Rare = z, uint64(z.Len()), &keyspace.Rare{Id: id, Other: true, Hidden: true, Expires: expires, Digest: d}
	n, ints := z.Len(), z.Integers()
	o.m.Keys.Stage(s, o.m.LastSeq()) // from now on snapshots see it, and note in it what they have written
	var b persist.Batch
	var some []zset.IntEntry
	var value [8 + zset.MaxTieWidth]byte
	for lo := 0; lo < n; {
		b.Reset()
		s.Mu.RLock()
		b.Create(id, s.Facts().Encode())
		for size := 0; size < o.StageBytes && lo < n; {
			some = z.Append(some[:0], lo, lo+stageStep)
			for _, x := range some {
				bytes := len(x.Member) + len(x.Tie) + 16
				if size > 0 && size+bytes > o.StageBytes { // one that is bigger has a commit of its own
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
		if err := o.appendStaged(s, &b); err != nil {
			return s, locks.ClosedError(err)
		}
	}
	return s, nil
}

// appendStaged writes down a part of a staged set. Waiting keeps the log's queue short.
func (o *Operations) appendStaged(s *keyspace.Set, b *persist.Batch) error {
	s.Mu.Lock()
	seq, err := o.m.Store.Append(b)
	if err == nil {
		s.Changed, s.Exists = seq, true
	}
	s.Mu.Unlock()
	if err != nil {
		return err
	}
	if err := o.m.Store.Wait(seq); err != nil {
		return err
	}
	o.m.Checkpoints.SnapshotIfDue()
	return nil
}

// Unstage drops a set that is still staged. If the disk does not let it, the next Open will.
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
	if s.Exists = false; err != nil { // the log still has it: so no other set gets its id
		s.Changed = o.m.Store.LastSeq()
		o.m.Checkpoints.LeftStore(s, s.Changed) // the next snapshot drops its record
		return
	}
	s.Changed = seq
	o.m.Vanished(s, seq)
}
