package engine

import (
	"context"
	"math"
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
func (e *Engine) install(ctx context.Context, key string, z *zset.IntSet, expires int64, d digest, still func(instant) bool) error {
	put := func(h *handle) { h.put(z, expires, d) }
	if e.store != nil && z.Size() > wholeParts*e.stageBytes {
		staged, err := e.stage(ctx, z, expires, d)
		defer e.unstage(staged)
		if err != nil {
			return err
		}
		put = func(h *handle) { h.adopt(staged) }
	}
	return e.update(&Tx{e: e, write: true, asIs: true}, []string{key}, func(tx *Tx) error {
		s, is := tx.sets[0], instant{}
		if s.s.exists {
			is = instant{s.s, s.Version(), s.s.expires()}
		}
		if !still(is) {
			return errOvertaken
		}
		put(s)
		return nil
	})
}

// put makes the key stand for a set that is new to the log, or for none if that is empty.
func (h *handle) put(z *zset.IntSet, expires int64, d digest) {
	switch {
	case z.Len() > 0:
		h.hold(z, expires, d)
	case h.there():
		h.replace(form{})
	}
}

// adopt makes the key that of a staged set.
func (h *handle) adopt(staged *set) {
	c := &pending{s: staged, version: staged.version, expires: staged.expires()}
	staged.mu.Lock()
	h.tx.adopted = staged.mu.of.Load()
	h.tx.made = append(h.tx.made, c)
	h.release()
	h.give(c)
}

// stage writes a set to the log and returns it, after an error too: then it is to be unstaged.
func (e *Engine) stage(ctx context.Context, z *zset.IntSet, expires int64, d digest) (*set, error) {
	id := e.freshID("staged")
	hidden := !seeded.Bug("a staged set has a key before its last commit")
	s := makeSet(id, new(sync.RWMutex))
	s.z, s.version, s.rare = z, uint64(z.Len()), &rare{id: id, other: hidden, hidden: hidden, expires: expires, digest: d}
	n, ints := z.Len(), z.Integers()
	e.keys.stage(s, e.lastSeq()) // from now on snapshots see it, and note in it what they have written
	var b persist.Batch
	var some []zset.IntEntry
	var value [8 + zset.MaxTieWidth]byte
	for lo := 0; lo < n; {
		b.Reset()
		s.mu.RLock()
		b.Create(id, s.facts().encode())
		for size := 0; size < e.stageBytes && lo < n; {
			some = z.Append(some[:0], lo, lo+stageStep)
			for _, x := range some {
				bytes := len(x.Member) + len(x.Tie) + 16
				if size > 0 && size+bytes > e.stageBytes { // one that is bigger has a commit of its own
					size = e.stageBytes
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
		if err := e.appendStaged(s, &b); err != nil {
			return s, e.closedError(err)
		}
	}
	return s, nil
}

// appendStaged writes down a part of a staged set. Waiting keeps the log's queue short.
func (e *Engine) appendStaged(s *set, b *persist.Batch) error {
	s.mu.Lock()
	seq, err := e.store.Append(b)
	if err == nil {
		s.changed, s.exists = seq, true
	}
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if err := e.store.Wait(seq); err != nil {
		return err
	}
	e.snapshotIfDue()
	return nil
}

// unstage drops a set that is still staged. If the disk does not let it, the next Open will.
func (e *Engine) unstage(s *set) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.hidden() {
		return
	}
	e.keys.unstage(s)
	s.gone = true
	if !s.exists {
		e.foreign.remove(s.rare.id)
		return
	}
	var b persist.Batch
	b.Drop(s.rare.id)
	seq, err := e.store.Append(&b)
	if s.exists = false; err != nil { // the log still has it: so no other set gets its id
		s.changed = e.store.LastSeq()
		e.leftStore(s, s.changed) // the next snapshot drops its record
		return
	}
	s.changed = seq
	e.vanished(s, seq)
}

// notFilled is in keyspace.staged for a set that one commit makes.
const notFilled = math.MaxUint64

// stage adds a set to the listings that cannot be found by a key.
func (k *keyspace) stage(s *set, before uint64) {
	k.moving.Lock()
	defer k.moving.Unlock()
	if k.staged == nil {
		k.staged = map[*set]uint64{}
	}
	k.staged[s] = before
}

// filling returns the last commit before those that fill a set that has no key yet, notFilled if there is none such. O(such sets).
func (k *keyspace) filling() uint64 {
	k.moving.Lock()
	defer k.moving.Unlock()
	first := uint64(notFilled)
	for _, before := range k.staged {
		first = min(first, before)
	}
	return first
}

func (k *keyspace) unstage(s *set) {
	k.moving.Lock()
	defer k.moving.Unlock()
	delete(k.staged, s)
}
