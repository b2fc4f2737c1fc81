package keyspace

import "github.com/zrankdb/zrank/engine/internal/locks"

// Listed is a set as List has found it.
type Listed struct {
	Key  string
	Cold bool // the set was on the disk only; false if that is not known
}

// List calls found with each set that exists and has not expired at a time, in milliseconds after 1970, and whose key match accepts. It
// returns the keys that match accepts and whose sets are in use: the caller has to wait for their locks. It finds every key that exists all
// the time. Neither function must use the keyspace or wait. O(sets).
func (k *Keyspace) List(now int64, match func(key string) bool, found func(Listed)) (inUse []string) {
	for i := range k.Shards {
		inUse = k.Shards[i].list(now, match, found, inUse)
	}
	return inUse
}

// list is List for one shard, and appends to inUse. A set without a lock is not in use, so list lends it one that it holds already.
func (sh *Shard) list(now int64, match func(key string) bool, found func(Listed), inUse []string) []string {
	sh.Mu.RLock()
	defer sh.Mu.RUnlock()
	var lent locks.Lock
	lent.Lock()
	defer lent.Unlock()
	for s := range sh.Sets.All() {
		if !match(s.Key) {
			continue
		}
		if !s.Mu.Lend(&lent) {
			inUse = append(inUse, s.Key)
			continue
		}
		listed, exists, gone := Listed{s.Key, s.Cold()}, s.Exists && !s.ExpiredBy(now), s.Gone
		s.Mu.TakeBack()
		switch {
		case gone: // the key may have another set by now
			inUse = append(inUse, listed.Key)
		case exists:
			found(listed)
		}
	}
	return inUse
}
