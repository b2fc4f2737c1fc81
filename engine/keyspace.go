package engine

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/zset"
)

const shards = 64

// keyspace finds sets by key. Shards keep goroutines apart that work on different sets; their locks are held for a map
// access only, and never while a set's lock is being waited for.
type keyspace struct {
	seed   maphash.Seed
	shards [shards]shard
}

type shard struct {
	mu   sync.RWMutex
	sets map[string]*set
}

// set is one sorted set and what the engine knows of it. All fields but key, used and pins are guarded by mu.
type set struct {
	key string
	mu  sync.RWMutex
	// z holds the entries; nil in a set that is on the disk only, or that nobody has added to.
	z *zset.Set
	// exists is false from when a key is first locked until a commit that adds a member, and after the set has become empty.
	exists bool
	// gone marks a set that has been taken out of the keyspace: whoever waited for its lock looks the key up again.
	gone bool
	// writing is true while a snapshot writes the pages one by one. returned has the members that transactions have taken out
	// and put back meanwhile: they may have left a page yet to be written for one that is written already.
	writing  bool
	returned []string
	known    map[string]struct{} // those in returned
	version  uint64
	changed  uint64        // sequence number of the last commit that changed it
	base     uint64        // the last snapshot holds all changes up to this commit
	stored   *setOnDisk    // where the last snapshot has put it; nil: nowhere
	loading  *loading      // it is being read from the disk; nil: it is not
	tally    tally         // what it counts for in the engine's figures
	resident bool          // it is in the list of Engine.memory
	used     atomic.Uint64 // when it was last touched, by Engine.memory.now
	pins     atomic.Int32  // transactions that are about to lock it; it stays in memory meanwhile
}

func (k *keyspace) init() {
	k.seed = maphash.MakeSeed()
	for i := range k.shards {
		k.shards[i].sets = map[string]*set{}
	}
}

func (k *keyspace) shard(key string) *shard {
	return &k.shards[maphash.String(k.seed, key)%shards]
}

// find returns the set of a key, or nil. O(1).
func (k *keyspace) find(key string) *set {
	sh := k.shard(key)
	sh.mu.RLock()
	defer sh.mu.RUnlock()
	return sh.sets[key]
}

// obtain returns the set of a key, making an empty one that does not exist yet if there is none. O(1).
func (k *keyspace) obtain(key string) *set {
	if s := k.find(key); s != nil {
		return s
	}
	sh := k.shard(key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	s := sh.sets[key]
	if s == nil {
		s = &set{key: key}
		sh.sets[key] = s
	}
	return s
}

// remove takes a set out. The caller holds its lock for writing. O(1).
func (k *keyspace) remove(s *set) {
	s.gone = true
	sh := k.shard(s.key)
	sh.mu.Lock()
	defer sh.mu.Unlock()
	delete(sh.sets, s.key)
}

// all returns every set at about this moment. O(sets).
func (k *keyspace) all() []*set {
	var all []*set
	for i := range k.shards {
		sh := &k.shards[i]
		sh.mu.RLock()
		for _, s := range sh.sets {
			all = append(all, s)
		}
		sh.mu.RUnlock()
	}
	return all
}

// Keys returns the keys of the sets that exist and whose keys begin with prefix, in order. O(sets).
func (e *Engine) Keys(prefix string) ([]string, error) {
	if e.closed.Load() {
		return nil, ErrClosed
	}
	var keys []string
	for _, s := range e.keys.all() {
		if !strings.HasPrefix(s.key, prefix) {
			continue
		}
		s.mu.RLock()
		if s.exists && !s.gone {
			keys = append(keys, s.key)
		}
		s.mu.RUnlock()
	}
	slices.Sort(keys)
	return keys, nil
}
