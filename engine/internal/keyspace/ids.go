package keyspace

import (
	"math"
	"strconv"
)

// In the log and in snapshots a set has an id: the key that it was made under. So a set that is renamed keeps its pages and its place in
// the log. While a renamed set has the id that a new set would take, the new set gets an unused id.

func (f *ids) Has(id string) bool {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	_, ok := f.Ids[id]
	return ok
}

// Add notes an id, and reports whether it is new.
func (f *ids) Add(id string) bool {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if _, ok := f.Ids[id]; ok {
		return false
	}
	if f.Ids == nil {
		f.Ids = map[string]struct{}{}
	}
	f.Ids[id] = struct{}{}
	return true
}

func (f *ids) Remove(ids ...string) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for _, id := range ids {
		delete(f.Ids, id)
	}
}

// FreshID returns an id that no set has or will get, and notes it. seq is the number of the last commit.
func (k *Keyspace) FreshID(key string, seq uint64) string {
	for n := seq; ; n++ {
		if id := key + "\x00" + strconv.FormatUint(n, 36); k.Ids.Add(id) {
			if k.Find(id) == nil {
				return id
			}
			k.Ids.Remove(id)
		}
	}
}

// Rename prepares a set for another key after a commit; Change gives it the key. The caller holds its lock.
func (k *Keyspace) Rename(s *Set, key string) {
	if s.Key == key && !s.Hidden() {
		return
	}
	id := s.Id()
	if r := s.Rare; r != nil && r.Other && id == key {
		k.Ids.Remove(id)
	}
	r := s.Extra()
	r.Id, r.Other, r.Hidden, r.Unlogged = id, id != key, false, false
}

// NotFilled is the value in Keyspace.Staged for a set that one commit makes.
const NotFilled = math.MaxUint64

// Stage makes All list a set that no key leads to yet. before is the last commit before those that fill the set, or NotFilled.
func (k *Keyspace) Stage(s *Set, before uint64) {
	k.Moving.Lock()
	defer k.Moving.Unlock()
	if k.Staged == nil {
		k.Staged = map[*Set]uint64{}
	}
	k.Staged[s] = before
}

// Filling returns the last commit before all those that fill staged sets, or NotFilled if none is being filled. O(staged sets).
func (k *Keyspace) Filling() uint64 {
	k.Moving.Lock()
	defer k.Moving.Unlock()
	first := uint64(NotFilled)
	for _, before := range k.Staged {
		first = min(first, before)
	}
	return first
}

// Unstage undoes Stage. O(1).
func (k *Keyspace) Unstage(s *Set) {
	k.Moving.Lock()
	defer k.Moving.Unlock()
	delete(k.Staged, s)
}
