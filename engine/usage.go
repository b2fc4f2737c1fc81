package engine

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

	digest digest
}

// Usage returns what a set takes, as Redis MEMORY USAGE and OBJECT ENCODING; ok is false if it does not exist. It reads no set
// from the disk. O(pages). Errors: ErrClosed, ErrCorrupt.
func (e *Engine) Usage(key string) (u Usage, ok bool, err error) {
	if err := e.locks.mayWait(); err != nil {
		return u, false, err
	}
	now := e.m.clock().UnixMilli()
	for {
		s := e.keys.find(key)
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
		r, err := e.residency.record(*id)
		if err != nil {
			if u = (Usage{}); left(s) {
				continue // dropped meanwhile, and its record with it
			}
			return u, false, err
		}
		if u.Pages = r.Pages; !u.Loaded {
			f, err := decodeFacts(r.Key, r.Meta)
			if err != nil {
				return Usage{}, false, err
			}
			u.Members = r.Entries
			u.digest = f.digest
			u.formed(f.form())
		}
		u.Disk, err = e.store.SizeOf(r)
		return u, true, closedError(err)
	}
}

// left reports whether the set has been taken out of the keyspace.
func left(s *set) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.gone
}

// usageOf fills in what is known under the set's lock, and returns what the disk calls it; nil: it is not there.
func (e *Engine) usageOf(s *set, u *Usage, key string, now int64) (id *string, is, exists bool) {
	e.locks.rlock(&s.mu, "usage", key)
	defer s.mu.RUnlock()
	if !s.is(key) {
		return nil, false, false
	}
	if !s.exists || s.expiredBy(now) {
		return nil, true, false
	}
	u.Keyspace, u.Version, u.LastCommit, u.Dirty = perSet+len(s.key), s.version, max(s.changed, s.base), s.changed > s.base
	if s.z != nil {
		u.Loaded, u.Members, u.Encoding, u.Memory = true, s.z.Len(), s.z.Encoding(), s.z.Size()
		u.Index, u.Table = s.z.Layers()
		u.digest = s.digest()
		u.formed(formOf(s.z.View()))
	}
	if s.base > 0 {
		name := s.id()
		id = &name
	}
	return id, true, true
}

// formed fills in what a set was made as.
func (u *Usage) formed(f form) {
	if u.Ints = f.ints; u.Ints {
		u.Form = f.Form
	}
}
