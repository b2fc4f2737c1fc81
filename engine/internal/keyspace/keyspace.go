package keyspace

import (
	"cmp"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"sync"
)

const shards = 256

// Keyspace finds sets by key. Shards keep goroutines apart that work on different sets; their locks are held for a map
// access only, and never while a set's lock is being waited for.
type Keyspace struct {
	seed   maphash.Seed
	Shards [shards]Shard

	// A set that gets another key may move from a shard that a listing has not reached to one that it has passed. moved has such sets.
	Moving   sync.Mutex
	Listings int    // under way
	Moved    []*Set // meanwhile
	// staged has the sets that are in the log, or are about to be, and have no key yet. The value is the last commit before those that fill
	// the set, or notFilled if one commit makes it.
	Staged map[*Set]uint64

	Ids      ids
	Accounts *Accounts
	Limits   listpackLimits
}

// Shard has the sets of one part of the keys.
type Shard struct {
	Mu   sync.RWMutex
	Sets map[string]*Set
}

// New returns an empty keyspace.
func New(a *Accounts) *Keyspace {
	k := &Keyspace{seed: maphash.MakeSeed(), Accounts: a}
	for i := range k.Shards {
		k.Shards[i].Sets = map[string]*Set{}
	}
	return k
}

// hash places a key: its highest bits are the number of the shard.
func (k *Keyspace) hash(key string) uint64 { return maphash.String(k.seed, key) }

// shardOf returns the number of a key's shard.
func (k *Keyspace) shardOf(key string) uint64 { return k.hash(key) / (1 << 64 / shards) }

// Shard returns the shard of a key. O(1).
func (k *Keyspace) Shard(key string) *Shard { return &k.Shards[k.shardOf(key)] }

// Find returns the set of a key, or nil. O(1).
func (k *Keyspace) Find(key string) *Set {
	s, _ := k.look(key)
	return s
}

// look returns the set of a key and the key's lock, or nil.
func (k *Keyspace) look(key string) (*Set, *sync.RWMutex) {
	sh := k.Shard(key)
	sh.Mu.RLock()
	defer sh.Mu.RUnlock()
	s := sh.Sets[key]
	if s == nil {
		return nil, nil
	}
	return s, s.Mu.Of.Load()
}

// Obtain returns the set of a key and the key's lock, making a set that does not exist yet if there is none. O(1).
func (k *Keyspace) Obtain(key string) (*Set, *sync.RWMutex) {
	if s, m := k.look(key); s != nil {
		return s, m
	}
	sh := k.Shard(key)
	sh.Mu.Lock()
	defer sh.Mu.Unlock()
	s := sh.Sets[key]
	if s == nil {
		s = MakeSet(strings.Clone(key), new(sync.RWMutex))
		sh.Sets[s.Key] = s
	}
	return s, s.Mu.Of.Load()
}

// Remove takes a set out, unless another has its key by now. The caller holds its lock for writing. O(1).
func (k *Keyspace) Remove(s *Set) {
	s.Gone = true
	sh := k.Shard(s.Key)
	sh.Mu.Lock()
	defer sh.Mu.Unlock()
	if sh.Sets[s.Key] == s {
		delete(sh.Sets, s.Key)
	}
}

// Move gives a set a key, and the key's lock.
type Move struct {
	Key  string
	S    *Set
	Lock *sync.RWMutex
}

// Change makes sets those of their new keys. To a listing, and to a call that looks for a lock, it happens at once. The caller holds the
// locks. O(moves log moves).
func (k *Keyspace) Change(moves []Move) {
	if len(moves) == 0 {
		return
	}
	var in []uint64
	for _, m := range moves {
		in = append(in, k.shardOf(m.Key))
	}
	slices.Sort(in)
	in = slices.Compact(in)
	k.Moving.Lock()
	defer k.Moving.Unlock()
	for _, i := range in {
		k.Shards[i].Mu.Lock()
		defer k.Shards[i].Mu.Unlock()
	}
	for _, m := range moves {
		k.Put(m.Key, m.S)
		m.S.Mu.Of.Store(m.Lock)
	}
}

// Put makes a set the one of a key, in the place of another that is gone or has another key by now. The caller holds moving, the
// shard's lock, and those of both sets for writing. O(1).
func (k *Keyspace) Put(key string, s *Set) {
	if s.Key != key {
		s.Key = key
	}
	delete(k.Staged, s)
	if k.Listings > 0 {
		k.Moved = append(k.Moved, s)
	}
	k.Shard(key).Sets[key] = s
}

// All returns every set at about this moment, each once, and those that have no key yet. O(sets).
func (k *Keyspace) All() []*Set {
	k.Moving.Lock()
	k.Listings++
	k.Moving.Unlock()
	all := make([]*Set, 0, shards)
	for i := range k.Shards {
		sh := &k.Shards[i]
		sh.Mu.RLock()
		for _, s := range sh.Sets {
			all = append(all, s)
		}
		sh.Mu.RUnlock()
	}
	k.Moving.Lock()
	moved := slices.AppendSeq(slices.Clone(k.Moved), maps.Keys(k.Staged))
	if k.Listings--; k.Listings == 0 {
		k.Moved = nil
	}
	k.Moving.Unlock()
	if len(moved) == 0 {
		return all
	}
	return unique(append(all, moved...))
}

// From returns about n keys whose hashes are not below a number, in order of hashes, and the number to go on with; 0: there are
// no more. A key that has one set after the other is there all the time. O(n + sets in a shard).
func (k *Keyspace) From(hash uint64, n int) (found []string, next uint64) {
	type at struct {
		hash uint64
		key  string
	}
	const step = 1 << 64 / shards
	for i := hash / step; i < shards; i++ {
		var here []at
		sh := &k.Shards[i]
		sh.Mu.RLock()
		for key := range sh.Sets {
			if h := k.hash(key); h >= hash {
				here = append(here, at{h, key})
			}
		}
		sh.Mu.RUnlock()
		slices.SortFunc(here, func(x, y at) int { return cmp.Compare(x.hash, y.hash) })
		for j, x := range here {
			if len(found) >= n && x.hash != here[j-1].hash {
				return found, x.hash
			}
			found = append(found, x.key)
		}
		if i+1 < shards && len(found) >= n {
			return found, (i + 1) * step
		}
	}
	return found, 0
}

// Random returns the key of a set, each as likely as any other, or any when there are none. O(sets in a shard).
func (k *Keyspace) Random(r *rand.Rand) string {
	var ends [shards]int
	total := 0
	for i := range k.Shards {
		sh := &k.Shards[i]
		sh.Mu.RLock()
		total += len(sh.Sets)
		sh.Mu.RUnlock()
		ends[i] = total
	}
	if total == 0 {
		return ""
	}
	pick := r.IntN(total)
	i := sort.SearchInts(ends[:], pick+1)
	sh := &k.Shards[i]
	sh.Mu.RLock()
	defer sh.Mu.RUnlock()
	for key := range sh.Sets {
		if pick++; pick >= ends[i] {
			return key
		}
	}
	return ""
}

// unique returns each set once.
func unique(sets []*Set) []*Set {
	seen := make(map[*Set]struct{}, len(sets))
	return slices.DeleteFunc(sets, func(s *Set) bool {
		_, again := seen[s]
		seen[s] = struct{}{}
		return again
	})
}

// ids has the ids of the renamed sets.
type ids struct {
	Mu  sync.Mutex
	Ids map[string]struct{}
}
