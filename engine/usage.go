package engine

import (
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/persist"
)

// Usage is what one set takes in memory and on the disk.
type Usage struct {
	Members  int    // of the set
	Ints     bool   // it has int64 scores
	Form     Form   // if Ints
	Loaded   bool   // it is in memory; a set that is not takes only Keyspace
	Encoding string // "listpack" or "skiplist", as Redis OBJECT ENCODING; "": it is not in memory
	Memory   int    // bytes of memory of its entries; 0 if it is not in memory
	Index    int    // of Memory: the order of scores
	Table    int    // of Memory: the members
	Keyspace int    // estimate of the bytes that the engine takes besides Memory to find it

	Version    uint64 // see Set.Version
	LastCommit uint64 // the last commit that changed it; if there was none since Open, the commit of its snapshot
	Dirty      bool   // it has changed since the last snapshot
	Pages      int    // of the set in the last snapshot
	Disk       int64  // estimate of their bytes on the disk, without pages that the store has not yet written out

	digest facts.Digest
	blind  bool // it is not in memory, and blind writes have changed it
}

// Usage returns what a set takes, as Redis MEMORY USAGE and OBJECT ENCODING; ok is false if it does not exist. It reads no set
// from the disk. O(pages). Errors: ErrClosed, ErrCorrupt.
func (e *Engine) Usage(key string) (u Usage, ok bool, err error) {
	if err := e.locks.MayWait(); err != nil {
		return u, false, err
	}
	now := e.m.clock().UnixMilli()
	for {
		s := e.keys.Find(key)
		if s == nil {
			return u, false, nil
		}
		id, is, exists := e.usageOf(s, &u, key, now)
		if !is {
			continue // the key has another set by now, or none
		}
		if !exists || e.store == nil || id == nil {
			u.Dirty = u.Dirty && e.store != nil
			return u, exists, nil
		}
		r, err := e.residency.Record(*id)
		if err != nil {
			if u = (Usage{}); gone(s) {
				continue // it was dropped meanwhile, with its record
			}
			return u, false, err
		}
		if err := u.stored(&r); err != nil {
			return Usage{}, false, err
		}
		u.Disk, err = e.store.SizeOf(r)
		return u, true, locks.ClosedError(err)
	}
}

// stored fills in the figures of the set's record, those that are known aside.
func (u *Usage) stored(r *persist.SetRecord) error {
	if u.Pages = r.Pages; u.known() {
		return nil
	}
	f, err := facts.DecodeFacts(r.Key, r.Meta)
	if err != nil {
		return err
	}
	u.Members = r.Entries
	u.digest = f.Digest
	u.setLayout(f.Layout())
	return nil
}

// gone reports whether the set has been removed from the keyspace.
func gone(s *keyspace.Set) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return s.Gone
}

// usageOf fills in the figures that are in memory, under the set's lock. It returns the set's id if the disk has it, otherwise nil; is tells
// whether the set still has this key.
func (e *Engine) usageOf(s *keyspace.Set, u *Usage, key string, now int64) (id *string, is, exists bool) {
	e.locks.Rlock(&s.Mu, "usage", key)
	defer s.Mu.RUnlock()
	if !s.Is(key) {
		return nil, false, false
	}
	if !s.Exists || s.ExpiredBy(now) {
		return nil, true, false
	}
	u.Keyspace, u.Version, u.LastCommit, u.Dirty = keyspace.PerSet+len(s.Key), s.Version, s.Changed, s.Dirty()
	if s.Entries != nil {
		u.Loaded, u.Encoding, u.Memory = true, s.Entries.Encoding(), s.Entries.Size()
		u.Index, u.Table = s.Entries.Layers()
		u.know(facts.LayoutOf(s.Entries.View()), s.Entries.Len(), s.Digest())
	} else if b := s.Blind(); b != nil {
		u.blind = true
		u.know(b.Layout, b.Members, b.Digest)
	}
	if s.Stored() {
		setID := s.Id()
		id = &setID
	}
	return id, true, true
}

// known reports whether the figures that a record has are filled in.
func (u *Usage) known() bool { return u.Loaded || u.blind }

// know fills in the figures that a record has otherwise.
func (u *Usage) know(f facts.Layout, members int, d facts.Digest) {
	u.Members, u.digest = members, d
	u.setLayout(f)
}

// setLayout fills in the kind of scores and the form.
func (u *Usage) setLayout(f facts.Layout) {
	if u.Ints = f.Ints; u.Ints {
		u.Form = formOf(f)
	}
}
