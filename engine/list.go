package engine

import (
	"slices"

	"github.com/zrankdb/zrank/engine/internal/keyspace"
)

// list returns the keys that match, of sets that exist and that want accepts, in order.
func (e *Engine) list(match func(key string) bool, want func(key string, cold bool) bool) (keys []string, err error) {
	if err := e.locks.MayWait(); err != nil {
		return nil, err
	}
	now := e.m.clock().UnixMilli()
	found := func(s keyspace.Listed) {
		if want(s.Key, s.Cold) {
			keys = append(keys, s.Key)
		}
	}
	for _, key := range e.keys.List(now, match, found) {
		if _, ok := e.lookup(key, now); ok {
			found(keyspace.Listed{Key: key})
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// every accepts every set.
func every(string, bool) bool { return true }

// lookup reports whether a key has a set that has not expired, and returns the set's expiry, 0 for never.
func (e *Engine) lookup(key string, now int64) (at int64, ok bool) {
	for {
		s := e.keys.Find(key)
		if s == nil {
			return 0, false
		}
		e.locks.Rlock(&s.Mu, "look", key)
		is, exists, at := s.Is(key), s.Exists && !s.ExpiredBy(now), s.Expires()
		s.Mu.RUnlock()
		if is { // otherwise the key has another set by now, or none
			return at, exists
		}
	}
}
