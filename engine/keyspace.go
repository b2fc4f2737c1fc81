package engine

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

// keyspace finds sets by key. Shards keep goroutines apart that work on different sets; their locks are held for a map
// access only, and never while a set's lock is being waited for.
type keyspace struct {
	seed   maphash.Seed
	shards [shards]shard

	// A set that gets another key may leave a shard that a listing has yet to come to for one where it has been already.
	moving   sync.Mutex
	listings int    // under way
	moved    []*set // meanwhile
	// staged has the sets that the log has, or is about to have, and that cannot be found by a key yet; of those that many commits
	// fill also the last commit before, of others notFilled.
	staged map[*set]uint64

	ids      ids
	accounts *accounts
	limits   listpackLimits
}

type shard struct {
	mu   sync.RWMutex
	sets map[string]*set
}

func newKeyspace(a *accounts) *keyspace {
	k := &keyspace{seed: maphash.MakeSeed(), accounts: a}
	for i := range k.shards {
		k.shards[i].sets = map[string]*set{}
	}
	return k
}

// hash places a key: its highest bits are the number of the shard.
func (k *keyspace) hash(key string) uint64 { return maphash.String(k.seed, key) }

// shardOf returns the number of a key's shard.
func (k *keyspace) shardOf(key string) uint64 { return k.hash(key) / (1 << 64 / shards) }

func (k *keyspace) shard(key string) *shard { return &k.shards[k.shardOf(key)] }

// find returns the set of a key, or nil. O(1).
func (k *keyspace) find(key string) *set {
	s, _ := k.look(key)
	return s
}

// look returns the set of a key and the key's lock, or nil.
func (k *keyspace) look(key string) (*set, *sync.RWMutex) {
	sh := k.shard(key)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	s := sh.sets[key]
	if s == nil {
		return nil, nil
	}
	return s, s.mu.of.Load()
}

// obtain returns the set of a key and the key's lock, making a set that does not exist yet if there is none. O(1).
func (k *keyspace) obtain(key string) (*set, *sync.RWMutex) {
	if s, m := k.look(key); s != nil {
		return s, m
	}
	sh := k.shard(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s := sh.sets[key]
	if s == nil {
		s = makeSet(strings.Clone(key), new(sync.RWMutex))
		sh.sets[s.key] = s
	}
	return s, s.mu.of.Load()
}

// remove takes a set out, unless another has its key by now. The caller holds its lock for writing. O(1).
func (k *keyspace) remove(s *set) {
	s.gone = true
	sh := k.shard(s.key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.sets[s.key] == s {
		delete(sh.sets, s.key)
	}
}

// move gives a set a key, and the key's lock.
type move struct {
	key  string
	s    *set
	lock *sync.RWMutex
}

// change makes sets those of their new keys. To a listing, and to a call that looks for a lock, it happens at once. The caller holds the
// locks. O(moves log moves).
func (k *keyspace) change(moves []move) {
	if len(moves) == 0 {
		return
	}
	var in []uint64
	for _, m := range moves {
		in = append(in, k.shardOf(m.key))
	}
	slices.Sort(in)
	in = slices.Compact(in)
	k.moving.Lock()
	defer k.moving.Unlock()
	for _, i := range in {
		k.shards[i].mu.Lock()
		defer k.shards[i].mu.Unlock()
	}
	for _, m := range moves {
		k.put(m.key, m.s)
		m.s.mu.of.Store(m.lock)
	}
}

// put makes a set the one of a key, in the place of another that is gone or has another key by now. The caller holds moving, the
// shard's lock, and those of both sets for writing. O(1).
func (k *keyspace) put(key string, s *set) {
	if s.key != key {
		s.key = key
	}
	delete(k.staged, s)
	if k.listings > 0 {
		k.moved = append(k.moved, s)
	}
	k.shard(key).sets[key] = s
}

// all returns every set at about this moment, each once, and those that have no key yet. O(sets).
func (k *keyspace) all() []*set {
	k.moving.Lock()
	k.listings++
	k.moving.Unlock()
	all := make([]*set, 0, shards)
	for i := range k.shards {
		sh := &k.shards[i]
		sh.mu.RLock()
		for _, s := range sh.sets {
			all = append(all, s)
		}
		sh.mu.RUnlock()
	}
	k.moving.Lock()
	moved := slices.AppendSeq(slices.Clone(k.moved), maps.Keys(k.staged))
	if k.listings--; k.listings == 0 {
		k.moved = nil
	}
	k.moving.Unlock()
	if len(moved) == 0 {
		return all
	}
	return unique(append(all, moved...))
}

// from returns about n keys whose hashes are not below a number, in order of hashes, and the number to go on with; 0: there are
// no more. A key that has one set after the other is there all the time. O(n + sets in a shard).
func (k *keyspace) from(hash uint64, n int) (found []string, next uint64) {
	type at struct {
		hash uint64
		key  string
	}
	const step = 1 << 64 / shards
	for i := hash / step; i < shards; i++ {
		var here []at
		sh := &k.shards[i]
		sh.mu.RLock()
		for key := range sh.sets {
			if h := k.hash(key); h >= hash {
				here = append(here, at{h, key})
			}
		}
		sh.mu.RUnlock()
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

// random returns the key of a set, each as likely as any other, or any when there are none. O(sets in a shard).
func (k *keyspace) random(r *rand.Rand) string {
	var ends [shards]int
	total := 0
	for i := range k.shards {
		sh := &k.shards[i]
		sh.mu.RLock()
		total += len(sh.sets)
		sh.mu.RUnlock()
		ends[i] = total
	}
	if total == 0 {
		return ""
	}
	pick := r.IntN(total)
	i := sort.SearchInts(ends[:], pick+1)
	sh := &k.shards[i]
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	for key := range sh.sets {
		if pick++; pick >= ends[i] {
			return key
		}
	}
	return ""
}

// unique returns each set once.
func unique(sets []*set) []*set {
	seen := make(map[*set]struct{}, len(sets))
	return slices.DeleteFunc(sets, func(s *set) bool {
		_, again := seen[s]
		seen[s] = struct{}{}
		return again
	})
}
