package engine

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/internal/glob"
)

// What Redis's commands on keys do, each call a transaction of its own.

// Exists returns how many of the keys have a set, one named twice counted twice, as Redis EXISTS. Nothing is read from the disk.
// O(keys). Errors: ErrClosed.
func (e *Engine) Exists(keys ...string) (n int, err error) {
	if e.closed.Load() {
		return 0, ErrClosed
	}
	now := e.clock().UnixMilli()
	for _, key := range keys {
		if e.there(e.keys.find(key), key, now) {
			n++
		}
	}
	return n, nil
}

// there reports whether a set that was found under a key exists, and its time is not up.
func (e *Engine) there(s *set, key string, now int64) bool {
	if s == nil {
		return false
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if !s.is(key) {
		return false
	}
	at := s.expires()
	return s.exists && (at == 0 || now < at)
}

// Delete drops the sets of the keys in one commit, and returns how many there were, as Redis DEL. It reads nothing from the disk, and
// costs the same whatever they hold. O(keys log keys). Errors: those of Update.
func (e *Engine) Delete(keys ...string) (n int, err error) {
	err = e.update(&Tx{e: e, write: true, asIs: true}, keys, func(tx *Tx) error {
		n = 0
		for _, key := range inOrder(keys) {
			there, err := tx.Drop(key)
			if err != nil {
				return err
			}
			if there {
				n++
			}
		}
		return nil
	})
	return n, err
}

// Rename is Tx.Rename in a transaction of its own.
func (e *Engine) Rename(from, to string) error {
	return e.Update([]string{from, to}, func(tx *Tx) error { return tx.Rename(from, to) })
}

// RenameIfAbsent is Rename if there is no set under to, and reports whether there was none, as Redis RENAMENX.
func (e *Engine) RenameIfAbsent(from, to string) (done bool, err error) {
	err = e.Update([]string{from, to}, func(tx *Tx) error {
		done = false
		t, err := tx.Set(to)
		if err != nil || t.Len() > 0 {
			return err
		}
		done = true
		return tx.Rename(from, to)
	})
	return done && err == nil, err
}

// ExpireAt makes the set of a key vanish at a time: see Set.ExpireAt. It reports whether there is such a set. Other errors: those of
// Update.
func (e *Engine) ExpireAt(key string, at time.Time) (ok bool, err error) {
	err = e.onSet(key, func(s *Set) error { ok, err = s.ExpireAt(at); return err })
	return ok, err
}

// ExpireIn is ExpireAt, so long from now.
func (e *Engine) ExpireIn(key string, d time.Duration) (ok bool, err error) {
	err = e.onSet(key, func(s *Set) error { ok, err = s.ExpireIn(d); return err })
	return ok, err
}

// Persist makes the set of a key stay for good: see Set.Persist.
func (e *Engine) Persist(key string) (had bool, err error) {
	err = e.onSet(key, func(s *Set) error { had, err = s.Persist(); return err })
	return had, err
}

// onSet changes one set.
func (e *Engine) onSet(key string, fn func(*Set) error) error {
	return e.Update([]string{key}, func(tx *Tx) error {
		s, err := tx.Set(key)
		if err != nil {
			return err
		}
		return fn(s)
	})
}

// Expiry returns when the set of a key vanishes: exists is false if there is no such set, and at is zero if it stays for good.
// What Redis calls PTTL is at.Sub(e.Now()). Nothing is read from the disk. O(1). Errors: ErrClosed.
func (e *Engine) Expiry(key string) (at time.Time, exists bool, err error) {
	if e.closed.Load() {
		return time.Time{}, false, ErrClosed
	}
	s := e.keys.find(key)
	if !e.there(s, key, e.clock().UnixMilli()) {
		return time.Time{}, false, nil
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if ms := s.expires(); ms != 0 {
		at = time.UnixMilli(ms)
	}
	return at, true, nil
}

// Count returns the number of sets, as Redis DBSIZE. Sets whose time is up count until they are dropped, within about a second.
// O(1). Errors: ErrClosed.
func (e *Engine) Count() (int, error) {
	if e.closed.Load() {
		return 0, ErrClosed
	}
	return int(e.keys.count.Load()), nil
}

// Keys returns the keys of the sets that exist and whose keys begin with prefix, in order. O(sets). Errors: ErrClosed.
func (e *Engine) Keys(prefix string) ([]string, error) {
	return e.list(func(key string) bool { return strings.HasPrefix(key, prefix) })
}

// Glob returns the keys of the sets that exist and whose keys match a pattern, in order, as Redis KEYS: * is any bytes, ? is
// one, [a-c] and [^a-c] are one of, or not of, some, and a backslash takes the next byte as it is. O(sets). Errors: ErrClosed.
func (e *Engine) Glob(pattern string) ([]string, error) {
	return e.list(glob.Compile(pattern))
}

func (e *Engine) list(match func(string) bool) ([]string, error) {
	if e.closed.Load() {
		return nil, ErrClosed
	}
	now := e.clock().UnixMilli()
	var keys []string
	for _, s := range e.keys.all() {
		if key, ok := e.keyOf(s, now); ok && match(key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// keyOf returns the key of a set that exists.
func (e *Engine) keyOf(s *set, now int64) (key string, ok bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	at := s.expires()
	return s.key, s.exists && !s.gone && !s.hidden() && (at == 0 || now < at)
}

// ScanKeys walks the keys a few at a time, as Redis SCAN: it returns about n keys and the cursor for the next call. The walk begins
// and ends with cursor 0. Keys that are there from its beginning to its end come once or, if a set gets another key and its own back, more
// often; others perhaps. It needs no memory between calls. O(n + sets/256). Errors: ErrClosed.
func (e *Engine) ScanKeys(cursor uint64, n int) (keys []string, next uint64, err error) {
	if e.closed.Load() {
		return nil, 0, ErrClosed
	}
	now := e.clock().UnixMilli()
	for {
		found, after := e.keys.from(cursor, max(n, 1)-len(keys))
		for _, s := range found {
			if key, ok := e.keyOf(s, now); ok {
				keys = append(keys, key)
			}
		}
		if cursor = after; cursor == 0 || len(keys) >= n {
			return keys, cursor, nil
		}
	}
}

// RandomKey returns the key of a set, each as likely as any other, as Redis RANDOMKEY; false: there are none. O(sets/256).
// Errors: ErrClosed.
func (e *Engine) RandomKey(r *rand.Rand) (key string, ok bool, err error) {
	if e.closed.Load() {
		return "", false, ErrClosed
	}
	now := e.clock().UnixMilli()
	for range 16 {
		if s := e.keys.random(r); s != nil {
			if key, ok := e.keyOf(s, now); ok {
				return key, true, nil
			}
		}
	}
	keys, err := e.Keys("") // hardly any of the sets exist
	if err != nil || len(keys) == 0 {
		return "", false, err
	}
	return keys[r.IntN(len(keys))], true, nil
}

// clearStep is how many sets Clear drops in one commit.
const clearStep = 1000

// Clear drops all sets, as Redis FLUSHALL, a thousand in one commit: others see it happen step by step. It returns how many it has
// dropped. Sets made meanwhile may stay. Private keys stay. O(sets log sets). Errors: those of Update, that of ctx.
func (e *Engine) Clear(ctx context.Context) (n int, err error) {
	keys, err := e.Keys("")
	for some := range slices.Chunk(keys, clearStep) {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		dropped, err := e.Delete(some...)
		if n += dropped; err != nil {
			return n, err
		}
	}
	return n, err
}
