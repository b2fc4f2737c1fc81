package engine

import (
	"context"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/zrankdb/zrank/internal/glob"
)

// The commands of Redis on keys. Each call is a transaction by itself.

// Exists returns how many of the keys have a set, as Redis EXISTS: a key that is named twice counts twice. It reads nothing from the disk.
// O(keys log keys). Errors: ErrClosed.
func (e *Engine) Exists(ctx context.Context, keys ...string) (n int, err error) {
	err = e.m.view(ctx, keepCold, keys, func(tx *Tx) error {
		for _, key := range keys {
			s, err := handleOf(tx, key)
			if err != nil {
				return err
			}
			if s.there() {
				n++
			}
		}
		return nil
	})
	return n, err
}

// Type returns "zset" if the key has a set, and "none" otherwise, as Redis TYPE. O(1). Errors: ErrClosed.
func (e *Engine) Type(ctx context.Context, key string) (string, error) {
	n, err := e.Exists(ctx, key)
	if n == 0 || err != nil {
		return "none", err
	}
	return "zset", nil
}

// Delete drops the sets of the keys in one commit, and returns how many there were, as Redis DEL. It reads nothing from the disk, and its
// cost does not grow with the members. O(keys log keys). Errors: those of Update, ErrReserved: then none is dropped.
func (e *Engine) Delete(ctx context.Context, keys ...string) (n int, err error) {
	return e.remove(ctx, 0, keys)
}

// remove is Delete in a transaction with a further mode.
func (e *Engine) remove(ctx context.Context, how mode, keys []string) (n int, err error) {
	err = e.m.update(ctx, keepCold|how, keys, func(tx *Tx) error {
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
	if err != nil {
		return 0, err
	}
	return n, nil
}

// Rename is Tx.Rename as a transaction by itself.
func (e *Engine) Rename(ctx context.Context, from, to string) error {
	return e.Update(ctx, func(tx *Tx) error { return tx.Rename(from, to) }, from, to)
}

// RenameIfAbsent is Rename if there is no set under to, and reports whether there was none, as Redis RENAMENX. Errors: those of
// Rename.
func (e *Engine) RenameIfAbsent(ctx context.Context, from, to string) (done bool, err error) {
	err = e.Update(ctx, func(tx *Tx) error {
		_, t, err := pairOf(tx, from, to)
		if err != nil || t.there() {
			return err
		}
		done = true
		return tx.Rename(from, to)
	}, from, to)
	return done && err == nil, err
}

// ExpireAt sets the expiry of the set of a key: see Set.ExpireAt. It reports whether there is such a set. Other errors: those of Update.
func (e *Engine) ExpireAt(ctx context.Context, key string, at time.Time) (ok bool, err error) {
	err = e.onSet(ctx, key, func(s *handle) error { ok, err = s.vanishAt(at); return err })
	return ok && err == nil, err
}

// ExpireIn is ExpireAt for the time d from now.
func (e *Engine) ExpireIn(ctx context.Context, key string, d time.Duration) (ok bool, err error) {
	err = e.onSet(ctx, key, func(s *handle) error { ok, err = s.vanishIn(d); return err })
	return ok && err == nil, err
}

// Persist removes the expiry of the set of a key: see Set.Persist.
func (e *Engine) Persist(ctx context.Context, key string) (had bool, err error) {
	err = e.onSet(ctx, key, func(s *handle) error { had, err = s.persist(); return err })
	return had && err == nil, err
}

// onSet runs fn in an Update on one set of either kind.
func (e *Engine) onSet(ctx context.Context, key string, fn func(*handle) error) error {
	return e.Update(ctx, func(tx *Tx) error {
		h, err := anyHandle(tx, key)
		if err != nil {
			return err
		}
		return fn(h)
	}, key)
}

// Expiry returns when the set of a key expires. exists is false if there is no such set, and at is zero if the set never expires. The value
// of Redis PTTL is at.Sub(e.Now()). Expiry reads nothing from the disk. O(1). Errors: ErrClosed.
func (e *Engine) Expiry(key string) (at time.Time, exists bool, err error) {
	if err := e.locks.MayWait(); err != nil {
		return time.Time{}, false, err
	}
	ms, exists := e.lookup(key, e.m.clock().UnixMilli())
	if exists && ms != 0 {
		at = time.UnixMilli(ms)
	}
	return at, exists, nil
}

// Count returns the number of sets, as Redis DBSIZE. Expired sets count until they are dropped, within about a second. O(1). Errors:
// ErrClosed.
func (e *Engine) Count() (int, error) {
	if e.life.Closed.Load() {
		return 0, ErrClosed
	}
	return e.counters.Sets(), nil
}

// Keys returns the keys of the sets that exist and whose keys begin with prefix, in order. O(sets). Errors: ErrClosed.
func (e *Engine) Keys(prefix string) ([]string, error) {
	return e.list(func(key string) bool { return strings.HasPrefix(key, prefix) }, every)
}

// Glob returns the keys of the sets that exist and whose keys match a pattern, in order, as Redis KEYS. In the pattern * is any number of
// bytes, ? is one byte, [a-c] is one of these bytes, [^a-c] is one other byte, and a backslash quotes the next byte. O(sets). Errors:
// ErrClosed.
func (e *Engine) Glob(pattern string) ([]string, error) {
	return e.list(glob.Compile(pattern), every)
}

// ScanKeys walks the keys a few at a time, as Redis SCAN: it returns about n keys and the cursor for the next call. A walk begins and ends
// with cursor 0. It returns a key once that exists from its beginning to its end, and other keys at most once. It needs no memory between
// calls. A cursor is valid for this engine only, until it is closed. O(n + sets/256). Errors: ErrClosed.
func (e *Engine) ScanKeys(cursor uint64, n int) (keys []string, next uint64, err error) {
	if err := e.locks.MayWait(); err != nil {
		return nil, 0, err
	}
	now := e.m.clock().UnixMilli()
	for {
		batch, after := e.keys.From(cursor, max(n, 1)-len(keys))
		for _, key := range batch {
			if _, ok := e.lookup(key, now); ok {
				keys = append(keys, key)
			}
		}
		if cursor = after; cursor == 0 || len(keys) >= n {
			return keys, cursor, nil
		}
	}
}

// RandomKey returns the key of a random set, each with the same probability, as Redis RANDOMKEY, and false if there is none. If r is nil, it
// uses a generator with a random seed. O(sets/256). Errors: ErrClosed.
func (e *Engine) RandomKey(r *rand.Rand) (key string, ok bool, err error) {
	if err := e.locks.MayWait(); err != nil {
		return "", false, err
	}
	if r == nil {
		r = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	now := e.m.clock().UnixMilli()
	for range 16 {
		key := e.keys.Random(r)
		if _, ok := e.lookup(key, now); ok {
			return key, true, nil
		}
	}
	keys, err := e.Keys("") // few of the sets exist, because most have expired
	if err != nil || len(keys) == 0 {
		return "", false, err
	}
	return keys[r.IntN(len(keys))], true, nil
}

const (
	clearStep  = 1000    // maximum number of sets that Clear drops in one commit
	clearBytes = 1 << 20 // about the maximum length of their keys together
)

// Clear drops all sets, as Redis FLUSHALL. It drops up to a thousand in one commit, so others see it happen step by step. It returns how many
// it has dropped. Sets made meanwhile may stay. Private keys and sets under reserved keys stay. O(sets log sets). Errors: those of Update,
// that of ctx.
func (e *Engine) Clear(ctx context.Context) (n int, err error) {
	keys, err := e.list(func(key string) bool { return !Reserved(key) }, every)
	for err == nil && len(keys) > 0 {
		if err = ctx.Err(); err != nil {
			break
		}
		step := 0 // number of keys in this commit
		for bytes := 0; step < min(len(keys), clearStep) && bytes < clearBytes; step++ {
			bytes += len(keys[step])
		}
		var dropped int
		dropped, err = e.Delete(ctx, keys[:step]...)
		n, keys = n+dropped, keys[step:]
	}
	return n, err
}
