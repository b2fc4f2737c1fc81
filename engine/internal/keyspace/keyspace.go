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

	"github.com/zrankdb/zrank/engine/internal/locks"
	"github.com/zrankdb/zrank/internal/rwlock"
)

const shards = 1 << shardBits

// Keyspace finds sets by key. Keys are spread over shards, so that goroutines that work on different sets rarely share a lock. The lock of
// a shard is held for a look into its table only, and never while its holder waits for a set's lock.
type Keyspace struct {
	seed   maphash.Seed
	Shards [shards]Shard

	// A set that gets another key may move from a shard that a call of All has not reached to one that it has passed. Moved has such
	// sets, so that All misses none. Moving guards the four fields below.
	Moving   sync.Mutex
	Listings int    // calls of All under way
	Moved    []*Set // the sets that got another key meanwhile
	// Staged has the sets that are in the log, or are about to be, and have no key yet. The value is the last commit before those that fill
	// the set, or NotFilled if one commit makes it.
	Staged map[*Set]uint64

	Ids      ids
	Accounts *Accounts
	Limits   listpackLimits
}

// Shard has the sets of one part of the keys.
type Shard struct {
	Mu    rwlock.Mutex
	Sets  Table
	cache locks.Cache // of the locks of its sets
}

// New returns an empty keyspace.
func New(a *Accounts) *Keyspace {
	return &Keyspace{seed: maphash.MakeSeed(), Accounts: a}
}

// hash returns the hash of a key. Its highest bits are the number of the shard.
func (k *Keyspace) hash(key string) uint64 { return maphash.String(k.seed, key) }

// Shard returns the shard of a key. O(1).
func (k *Keyspace) Shard(key string) *Shard {
	sh, _ := k.shard(key)
	return sh
}

// shard returns the shard and the hash of a key.
func (k *Keyspace) shard(key string) (*Shard, uint64) {
	hash := k.hash(key)
	return &k.Shards[hash>>(64-shardBits)], hash
}

// Find returns the set of a key, or nil. O(1).
func (k *Keyspace) Find(key string) *Set {
	sh, hash := k.shard(key)
	sh.Mu.RLock()
	defer sh.Mu.RUnlock()
	return sh.Sets.get(hash, key)
}

// Obtain returns the set of a key and the key's lock. If the key has no set, it adds one with Exists false. O(1).
func (k *Keyspace) Obtain(key string) (*Set, *locks.Lock) {
	sh, hash := k.shard(key)
	if s, l := sh.lookup(hash, key); s != nil {
		return s, l
	}
	sh.Mu.Lock()
	defer sh.Mu.Unlock()
	s := sh.obtain(hash, strings.Clone(key)) // the caller's key may be a part of something big
	return s, s.Mu.Get()
}

// lookup returns the set of a key and the key's lock, or nil.
func (sh *Shard) lookup(hash uint64, key string) (s *Set, l *locks.Lock) {
	sh.Mu.RLock()
	if s = sh.Sets.get(hash, key); s != nil {
		l = sh.cache.Get(&s.Mu)
	}
	sh.Mu.RUnlock()
	return s, l
}

// Add is Obtain for callers that need no lock yet, and whose key takes no more memory than its length.
func (k *Keyspace) Add(key string) *Set {
	sh, hash := k.shard(key)
	sh.Mu.Lock()
	defer sh.Mu.Unlock()
	return sh.obtain(hash, key)
}

// Reserve makes room for about n sets. O(n).
func (k *Keyspace) Reserve(n int) {
	for i := range k.Shards {
		sh := &k.Shards[i]
		sh.Mu.Lock()
		sh.Sets.reserve(n / shards)
		sh.Mu.Unlock()
	}
}

// obtain returns the set of a key, and adds one if there is none. The caller holds Mu for writing.
func (sh *Shard) obtain(hash uint64, key string) *Set {
	s := sh.Sets.get(hash, key)
	if s == nil {
		s = &Set{Key: key}
		sh.Sets.put(hash, s)
	}
	return s
}

// Remove marks a set as gone, and frees its key unless another set has the key by now. The caller holds its lock for writing. O(1).
func (k *Keyspace) Remove(s *Set) {
	s.Gone = true
	s.Mu.Leave()
	sh, hash := k.shard(s.Key)
	sh.Mu.Lock()
	defer sh.Mu.Unlock()
	sh.Sets.drop(hash, s)
}

// Move is the change of a set to another key, and to that key's lock.
type Move struct {
	Key  string
	S    *Set
	Lock *locks.Lock
}

// Change puts sets under their new keys. All and callers that look up a lock see all moves or none. The caller holds the locks of the
// sets and of the keys. O(moves log moves).
func (k *Keyspace) Change(moves []Move) {
	if len(moves) == 0 {
		return
	}
	var numbers []uint64 // of the shards, sorted: the order in which they are locked
	for _, m := range moves {
		numbers = append(numbers, k.hash(m.Key)>>(64-shardBits), k.hash(m.S.Key)>>(64-shardBits))
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	k.Moving.Lock()
	defer k.Moving.Unlock()
	for _, i := range numbers {
		k.Shards[i].Mu.Lock()
		defer k.Shards[i].Mu.Unlock()
	}
	for _, m := range moves {
		sh, hash := k.shard(m.S.Key)
		sh.Sets.drop(hash, m.S)
	}
	for _, m := range moves {
		k.Put(m.Key, m.S)
		m.S.Mu.Give(m.Lock)
	}
}

// Put puts a set that is in no shard under a key, in place of a set that is gone or has another key by now. The caller holds Moving, the
// lock of the shard, and the locks of both sets for writing. O(1).
func (k *Keyspace) Put(key string, s *Set) {
	k.Accounts.rekey(s, key)
	delete(k.Staged, s)
	if k.Listings > 0 {
		k.Moved = append(k.Moved, s)
	}
	sh, hash := k.shard(key)
	sh.Sets.put(hash, s)
}

// All returns every set at about this moment, each once, and those that have no key yet. O(sets).
func (k *Keyspace) All() []*Set {
	k.Moving.Lock()
	k.Listings++
	k.Moving.Unlock()
	all := make([]*Set, 0, k.Accounts.counters.Sets()+shards)
	for i := range k.Shards {
		sh := &k.Shards[i]
		sh.Mu.RLock()
		for s := range sh.Sets.All() {
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

// From returns about n keys with hashes from hash on, in order of hashes, and the hash to continue with, or 0 at the end. A scan finds
// every key that exists from its begin to its end, even if the key's set is replaced. O(n + sets in a shard).
func (k *Keyspace) From(hash uint64, n int) (keys []string, next uint64) {
	type hashedKey struct {
		hash uint64
		key  string
	}
	const step = 1 << 64 / shards
	for i := hash / step; i < shards; i++ {
		var inShard []hashedKey
		sh := &k.Shards[i]
		sh.Mu.RLock()
		for s := range sh.Sets.All() {
			if h := k.hash(s.Key); h >= hash {
				inShard = append(inShard, hashedKey{h, s.Key})
			}
		}
		sh.Mu.RUnlock()
		slices.SortFunc(inShard, func(x, y hashedKey) int { return cmp.Compare(x.hash, y.hash) })
		for j, x := range inShard {
			if len(keys) >= n && x.hash != inShard[j-1].hash { // keys of equal hash are returned together
				return keys, x.hash
			}
			keys = append(keys, x.key)
		}
		if i+1 < shards && len(keys) >= n {
			return keys, (i + 1) * step
		}
	}
	return keys, 0
}

// Random returns the key of a random set, each with the same probability, or "" if there is none. O(sets in a shard).
func (k *Keyspace) Random(r *rand.Rand) string {
	var ends [shards]int
	total := 0
	for i := range k.Shards {
		sh := &k.Shards[i]
		sh.Mu.RLock()
		total += sh.Sets.Len()
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
	for s := range sh.Sets.All() {
		if pick++; pick >= ends[i] {
			return s.Key
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
