package keyspace

import (
	"context"
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/command"
)

// PutPlain stores a plain value. The key has no other value. Errors: ErrReadOnly, engine.ErrMemoryLimit.
func (t *Tx) PutPlain(name string, v Plain) error {
	if engine.Reserved(name) {
		return command.ErrReadOnly
	}
	b := v.Encode()
	if err := t.Space.memoryFor(len(b)); err != nil {
		return err
	}
	t.Space.plain.add(name, len(b))
	t.Space.Mark(name)
	return t.tx.Put(plainPrefix+name, b)
}

// DropPlain deletes the plain value of a key, and reports whether there was one.
func (t *Tx) DropPlain(name string) (bool, error) {
	v, err := t.PlainAt(name)
	if err != nil || !t.Space.plain.mayHave(name) {
		return false, err
	}
	t.dropped = append(t.dropped, name)
	return v.Kind != None, t.tx.Delete(plainPrefix + name)
}

// memoryFor returns engine.ErrMemoryLimit if so many more bytes of plain values would exceed the memory limit. The server must check this
// itself: an engine in memory limits its sets only, and does not count private keys.
func (s *Space) memoryFor(bytes int) error {
	set := s.Engine.Settings()
	if set.Stored || set.MemoryLimit == 0 {
		return nil
	}
	st, err := s.Engine.Stats()
	if have := int64(st.Memory) + s.plain.bytes.Load(); err == nil && have+int64(bytes) > set.MemoryLimit {
		err = fmt.Errorf("%w: %d bytes and %d more, the limit is %d", engine.ErrMemoryLimit, have, bytes, set.MemoryLimit)
	}
	return err
}

// SweepMore is a number of plain values: a sweep begins when there are SweepMore more than twice the number after the last sweep.
const SweepMore = 1000

// sweepBatch is the number of values that one transaction of a sweep checks.
const sweepBatch = 1000

// sweep deletes expired plain values. It runs when their number has doubled, so that at most half of them are expired ones, and each store
// pays little. O(plain values).
func (s *Space) sweep(ctx context.Context) {
	for names := range slices.Chunk(s.plain.names(), sweepBatch) {
		s.forget(ctx, names)
	}
	s.plain.sweepAt.Store(2 * s.plain.n.Load())
}

// forget deletes expired values of the keys, and removes keys without a value from the index. The locks of the keys keep other goroutines from
// storing a value meanwhile. If forget fails, the index has keys without a value, which is allowed.
func (s *Space) forget(ctx context.Context, names []string) {
	_, _ = s.Engine.UpdateLater(ctx, func(tx *engine.Tx) error {
		for _, name := range names {
			b, ok, err := tx.Get(plainPrefix + name)
			if err != nil {
				return err
			}
			if v, err := DecodePlain(b); ok && (err != nil || v.Expires.IsZero() || tx.Now().Before(v.Expires)) {
				continue
			}
			s.plain.remove(name)
			if !ok {
				continue
			}
			if err := tx.Delete(plainPrefix + name); err != nil {
				return err
			}
		}
		return nil
	}, names...)
}

// CleanUp removes expired and deleted plain values from memory after a transaction, whether it has failed or not: see forget and sweep.
func (t *Tx) CleanUp(ctx context.Context) {
	ctx = context.WithoutCancel(ctx)
	if s := t.Space; len(t.dropped) > 0 {
		s.forget(ctx, t.dropped)
	} else if n := s.plain.n.Load(); n > s.plain.sweepAt.Load()+SweepMore {
		s.sweep(ctx)
	}
}

// MayBePlain reports whether one of the keys may have a plain value.
func (s *Space) MayBePlain(names ...string) bool { return slices.ContainsFunc(names, s.plain.mayHave) }

// PlainKeys returns the keys that may have plain values.
func (s *Space) PlainKeys() []string { return s.plain.names() }

// PlainCount returns the number of keys that may have plain values.
func (s *Space) PlainCount() int { return int(s.plain.n.Load()) }

// Drop deletes the value of a key, and reports whether there was one. Errors: ErrReadOnly.
func (t *Tx) Drop(name string) (bool, error) {
	if err := t.Changeable(name); err != nil {
		return false, err
	}
	plain, err := t.DropPlain(name)
	if err != nil {
		return false, err
	}
	sorted, err := t.tx.Drop(name) // the program may have made one that the plain value hides
	return plain || sorted, err
}

// Changeable returns ErrReadOnly if clients may not change one of the keys, or nil.
func (t *Tx) Changeable(names ...string) error {
	for _, name := range names {
		stat, err := t.tx.Stat(name)
		if err != nil {
			return err
		}
		if stat.Ints || engine.Reserved(name) {
			return command.ErrReadOnly
		}
	}
	return nil
}

// load reads which keys have plain values.
func (p *plain) load(ctx context.Context, e *engine.Engine) error {
	p.keys = map[string]int{}
	return e.View(ctx, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(plainPrefix) {
			if err != nil {
				return fmt.Errorf("resp: %w", err)
			}
			p.add(string(kv.Key)[len(plainPrefix):], len(kv.Value))
		}
		return nil
	})
}
