package engine

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/zrankdb/zrank/engine/internal/txn"
	"github.com/zrankdb/zrank/internal/glob"
)

// What Redis's commands on keys do, each call a transaction of its own.

// Exists returns how many of the keys have a set, one named twice counted twice, as Redis EXISTS. Nothing is read from the disk.
// O(keys log keys). Errors: ErrClosed.
func (e *Engine) Exists(keys ...string) (n int, err error) {
	err = e.m.View(txn.KeepCold, keys, func(tx *Tx) error {
		for _, key := range keys {
			s, err := txn.HandleOf(tx, key)
			if err != nil {
				return err
			}
			if s.There() {
				n++
			}
		}
		return nil
	})
	return n, err
}

// look reports whether a key has a set whose time is not up, and when that will be, 0: never.
func (e *Engine) look(key string, now int64) (at int64, ok bool) {
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

// Type returns "zset" if the key has a set, and "none" otherwise, as Redis TYPE. O(1). Errors: ErrClosed.
func (e *Engine) Type(key string) (string, error) {
	n, err := e.Exists(key)
	if n == 0 || err != nil {
		return "none", err
	}
	return "zset", nil
}

// Delete drops the sets of the keys in one commit, and returns how many there were, as Redis DEL. It reads nothing from the disk, and
// costs the same whatever they hold. O(keys log keys). Errors: those of Update, ErrReserved: then none is dropped.
func (e *Engine) Delete(keys ...string) (n int, err error) {
	return e.remove(0, keys)
}

// remove is Delete in a transaction with a further mode.
func (e *Engine) remove(how txn.Mode, keys []string) (n int, err error) {
	err = e.m.Update(txn.KeepCold|how, keys, func(tx *Tx) error {
		n = 0
		for _, key := range txn.InOrder(keys) {
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
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Rename is Tx.Rename in a transaction of its own.
func (e *Engine) Rename(from, to string) error {
	return e.Update([]string{from, to}, func(tx *Tx) error { return tx.Rename(from, to) })
}

// RenameIfAbsent is Rename if there is no set under to, and reports whether there was none, as Redis RENAMENX. Errors: those of
// Rename.
func (e *Engine) RenameIfAbsent(from, to string) (done bool, err error) {
	err = e.Update([]string{from, to}, func(tx *Tx) error {
		_, t, err := txn.PairOf(tx, from, to)
		if err != nil || t.There() {
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
	err = e.onSet(key, func(s *txn.Handle) error { ok, err = s.VanishAt(at); return err })
	return ok && err == nil, err
}

// ExpireIn is ExpireAt, so long from now.
func (e *Engine) ExpireIn(key string, d time.Duration) (ok bool, err error) {
	err = e.onSet(key, func(s *txn.Handle) error { ok, err = s.VanishIn(d); return err })
	return ok && err == nil, err
}

// Persist makes the set of a key stay for good: see Set.Persist.
func (e *Engine) Persist(key string) (had bool, err error) {
	err = e.onSet(key, func(s *txn.Handle) error { had, err = s.Persist(); return err })
	return had && err == nil, err
}

// onSet changes one set.
func (e *Engine) onSet(key string, fn func(*txn.Handle) error) error {
	return e.Update([]string{key}, func(tx *Tx) error {
		h, err := txn.AnyHandle(tx, key)
		if err != nil {
			return err
		}
		return fn(h)
	})
}

// Expiry returns when the set of a key vanishes: exists is false if there is no such set, and at is zero if it stays for good.
// What Redis calls PTTL is at.Sub(e.Now()). Nothing is read from the disk. O(1). Errors: ErrClosed.
func (e *Engine) Expiry(key string) (at time.Time, exists bool, err error) {
	if err := e.locks.MayWait(); err != nil {
		return time.Time{}, false, err
	}
	ms, exists := e.look(key, e.m.Clock().UnixMilli())
	if exists && ms != 0 {
		at = time.UnixMilli(ms)
	}
	return at, exists, nil
}

// Count returns the number of sets, as Redis DBSIZE. Sets whose time is up count until they are dropped, within about a second.
// O(1). Errors: ErrClosed.
func (e *Engine) Count() (int, error) {
	if e.life.Closed.Load() {
		return 0, ErrClosed
	}
	return e.counters.Sets(), nil
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
	if err := e.locks.MayWait(); err != nil {
		return nil, err
	}
	now := e.m.Clock().UnixMilli()
	all, _ := e.keys.From(0, math.MaxInt)
	var keys []string
	for _, key := range all {
		if !match(key) {
			continue
		}
		if _, ok := e.look(key, now); ok {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// ScanKeys walks the keys a few at a time, as Redis SCAN: it returns about n keys and the cursor for the next call. The walk begins
// and ends with cursor 0. Keys that are there from its beginning to its end come once; others perhaps. It needs no memory between calls, and no
// cursor is good for another engine, nor for this one when it is opened again. O(n + sets/256). Errors: ErrClosed.
func (e *Engine) ScanKeys(cursor uint64, n int) (keys []string, next uint64, err error) {
	if err := e.locks.MayWait(); err != nil {
		return nil, 0, err
	}
	now := e.m.Clock().UnixMilli()
	for {
		found, after := e.keys.From(cursor, max(n, 1)-len(keys))
		for _, key := range found {
			if _, ok := e.look(key, now); ok {
				keys = append(keys, key)
			}
		}
		if cursor = after; cursor == 0 || len(keys) >= n {
			return keys, cursor, nil
		}
	}
}

// RandomKey returns the key of a set, each as likely as any other, as Redis RANDOMKEY; false: there are none. A nil r stands for one with a seed of chance. O(sets/256).
// Errors: ErrClosed.
func (e *Engine) RandomKey(r *rand.Rand) (key string, ok bool, err error) {
	if err := e.locks.MayWait(); err != nil {
		return "", false, err
	}
	if r == nil {
		r = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	now := e.m.Clock().UnixMilli()
	for range 16 {
		key := e.keys.Random(r)
		if _, ok := e.look(key, now); ok {
			return key, true, nil
		}
	}
	keys, err := e.Keys("") // hardly any of the sets exist
	if err != nil || len(keys) == 0 {
		return "", false, err
	}
	return keys[r.IntN(len(keys))], true, nil
}

const (
	clearStep  = 1000    // sets that Clear drops in one commit at most
	clearBytes = 1 << 20 // about how long their keys are together at most
)

// Clear drops all sets, as Redis FLUSHALL, up to a thousand in one commit: others see it happen step by step. It returns how many it has
// dropped. Sets made meanwhile may stay. Sets under reserved keys and private keys stay. O(sets log sets). Errors: those of Update, that of ctx.
func (e *Engine) Clear(ctx context.Context) (n int, err error) {
	keys, err := e.list(func(key string) bool { return !Reserved(key) })
	for err == nil && len(keys) > 0 {
		if err = ctx.Err(); err != nil {
			break
		}
		some := 0
		for bytes := 0; some < min(len(keys), clearStep) && bytes < clearBytes; some++ {
			bytes += len(keys[some])
		}
		var dropped int
		dropped, err = e.Delete(keys[:some]...)
		n, keys = n+dropped, keys[some:]
	}
	return n, err
}
