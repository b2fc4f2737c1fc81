package engine

import (
	"context"
	"sync"

	"github.com/zrankdb/zrank/internal/seeded"
	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
)

// A set that is too big for one commit goes to the log by many, under an id of its own and without a key: it is staged. Then one
// small commit gives it its key, and drops what had the key before. Open drops staged sets that never got that far.

const (
	stageBytes = 1 << 20 // about what one of many commits has
	stageStep  = 32      // members that are copied out at a time
	wholeParts = 4       // a set that takes less memory than so many goes to the log in one commit
)

// install makes a set, which nobody else uses, that of a key, in the place of what the key had, ties and expiry and all, if still
// says so of what the key has at that moment; else it returns errOvertaken. It becomes visible at once. An empty one leaves the key
// without a set. If ctx ends before that, nothing has changed. Errors: those of Update, that of ctx.
func (o *operations) install(ctx context.Context, key string, z *zset.IntSet, expires int64, d digest, still func(instant) bool) error {
	put := func(h *handle) { h.put(z, expires, d) }
	if o.m.store != nil && z.Size() > wholeParts*o.stageBytes {
		staged, err := o.stage(ctx, z, expires, d)
		defer o.unstage(staged)
		if err != nil {
			return err
		}
		put = func(h *handle) { h.adopt(staged) }
	}
	return o.m.update(asIs, []string{key}, func(tx *Tx) error {
		s, is := lockedBy(tx)[0], instant{}
		if s.s.exists {
			is = instant{s.s, s.s.version, s.s.expires()}
		}
		if !still(is) {
			return errOvertaken
		}
		put(s)
		return nil
	})
}

// stage writes a set to the log and returns it, after an error too: then it is to be unstaged.
func (o *operations) stage(ctx context.Context, z *zset.IntSet, expires int64, d digest) (*set, error) {
	id := o.m.keys.freshID("staged", o.m.lastSeq())
	hidden := !seeded.Bug("a staged set has a key before its last commit")
	s := makeSet(id, new(sync.RWMutex))
	s.z, s.version, s.rare = z, uint64(z.Len()), &rare{id: id, other: hidden, hidden: hidden, expires: expires, digest: d}
	n, ints := z.Len(), z.Integers()
	o.m.keys.stage(s, o.m.lastSeq()) // from now on snapshots see it, and note in it what they have written
	var b persist.Batch
	var some []zset.IntEntry
	var value [8 + zset.MaxTieWidth]byte
	for lo := 0; lo < n; {
		b.Reset()
		s.mu.RLock()
		b.Create(id, s.facts().encode())
		for size := 0; size < o.stageBytes && lo < n; {
			some = z.Append(some[:0], lo, lo+stageStep)
			for _, x := range some {
				bytes := len(x.Member) + len(x.Tie) + 16
				if size > 0 && size+bytes > o.stageBytes { // one that is bigger has a commit of its own
					size = o.stageBytes
					break
				}
				b.Put(id, x.Member, appendValue(value[:0], ints, x.Score, x.Tie))
				size += bytes
				lo++
			}
		}
		s.mu.RUnlock()
		if err := ctx.Err(); err != nil {
			return s, err
		}
		if err := o.appendStaged(s, &b); err != nil {
			return s, closedError(err)
		}
	}
	return s, nil
}

// appendStaged writes down a part of a staged set. Waiting keeps the log's queue short.
func (o *operations) appendStaged(s *set, b *persist.Batch) error {
	s.mu.Lock()
	seq, err := o.m.store.Append(b)
	if err == nil {
		s.changed, s.exists = seq, true
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := o.m.store.Wait(seq); err != nil {
		return err
	}
	o.m.checkpoints.snapshotIfDue()
	return nil
}

// unstage drops a set that is still staged. If the disk does not let it, the next Open will.
func (o *operations) unstage(s *set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hidden() {
		return
	}
	o.m.keys.unstage(s)
	s.gone = true
	if !s.exists {
		o.m.keys.ids.remove(s.rare.id)
		return
	}
	var b persist.Batch
	b.Drop(s.rare.id)
	seq, err := o.m.store.Append(&b)
	if s.exists = false; err != nil { // the log still has it: so no other set gets its id
		s.changed = o.m.store.LastSeq()
		o.m.checkpoints.leftStore(s, s.changed) // the next snapshot drops its record
		return
	}
	s.changed = seq
	o.m.vanished(s, seq)
}
