package engine

import (
	"github.com/zrankdb/zrank/engine/internal/facts"
	"github.com/zrankdb/zrank/engine/internal/keyspace"
	"github.com/zrankdb/zrank/engine/internal/locks"
)

// Usage says what one set takes.
type Usage struct {
	Members  int
	Ints     bool   // it has int64 scores
	Form     Form   // if Ints
	Loaded   bool   // it is in memory; one that is not, and changed no more, costs no memory but Keyspace
	Encoding string // "listpack" or "skiplist", as Redis OBJECT ENCODING; "": it is not in memory
	Memory   int    // bytes of memory of its entries; 0 if it is not in memory
	Index    int    // of Memory: the order of scores
	Table    int    // of Memory: the members
	Keyspace int    // about what the engine takes beside Memory to find it, in bytes

	Version    uint64 // see Set.Version
	LastCommit uint64 // the last commit that changed it, or the one its snapshot was taken at if there was none since Open
	Dirty      bool   // it has changed since the last snapshot
	Pages      int    // that the last snapshot has of it
	Disk       int64  // about what they take on the disk in bytes; pages that the store has not yet written out count for nothing

	digest facts.Digest
}

// Usage returns what a set takes, as Redis MEMORY USAGE and OBJECT ENCODING; ok is false if it does not exist. It reads no set
// from the disk. O(pages). Errors: ErrClosed, ErrCorrupt.
func (e *Engine) Usage(key string) (u Usage, ok bool, err error) {
	if err := e.locks.MayWait(); err != nil {
		return u, false, err
	}
	now := e.m.Clock().UnixMilli()
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
			if u = (Usage{}); left(s) {
				continue // dropped meanwhile, and its record with it
			}
			return u, false, err
		}
		if u.Pages = r.Pages; !u.Loaded {
			f, err := facts.DecodeFacts(r.Key, r.Meta)
			if err != nil {
				return Usage{}, false, err
			}
			u.Members = r.Entries
			u.digest = f.Digest
			u.formed(f.Form())
		}
		u.Disk, err = e.store.SizeOf(r)
		return u, true, locks.ClosedError(err)
	}
}

// left reports whether the set has been taken out of the keyspace.
func left(s *keyspace.Set) bool {
	s.Mu.RLock()
	defer s.Mu.RUnlock()
	return s.Gone
}

// usageOf fills in what is known under the set's lock, and returns what the disk calls it; nil: it is not there.
func (e *Engine) usageOf(s *keyspace.Set, u *Usage, key string, now int64) (id *string, is, exists bool) {
	e.locks.Rlock(&s.Mu, "usage", key)
	defer s.Mu.RUnlock()
	if !s.Is(key) {
		return nil, false, false
	}
	if !s.Exists || s.ExpiredBy(now) {
		return nil, true, false
	}
	u.Keyspace, u.Version, u.LastCommit, u.Dirty = keyspace.PerSet+len(s.Key), s.Version, max(s.Changed, s.Base), s.Changed > s.Base
	if s.Entries != nil {
		u.Loaded, u.Members, u.Encoding, u.Memory = true, s.Entries.Len(), s.Entries.Encoding(), s.Entries.Size()
		u.Index, u.Table = s.Entries.Layers()
		u.digest = s.Digest()
		u.formed(facts.LayoutOf(s.Entries.View()))
	}
	if s.Base > 0 {
		name := s.Id()
		id = &name
	}
	return id, true, true
}

// formed fills in what a set was made as.
func (u *Usage) formed(f facts.Layout) {
	if u.Ints = f.Ints; u.Ints {
		u.Form = f.Form
	}
}
