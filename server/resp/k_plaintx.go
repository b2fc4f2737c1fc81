package resp

import (
	"fmt"
	"slices"

	"github.com/zrankdb/zrank/engine"
)

// plainAt returns the plain value of a key; its kind is none if there is none, or its time is up.
func (t *keyTx) plainAt(name string) (v plainValue, err error) {
	if !t.space.plain.may(name) {
		return v, nil
	}
	b, ok, err := t.tx.Get(plainPrefix + name)
	if err != nil || !ok {
		return v, err
	}
	if v, err = decodePlain(b); err != nil || v.expires.IsZero() || t.tx.Now().Before(v.expires) {
		return v, err
	}
	return plainValue{}, nil
}

// plainKind returns what plain value a key has.
func (t *keyTx) plainKind(name string) (kind, error) {
	v, err := t.plainAt(name)
	return v.kind, err
}

// putPlain gives a key a plain value. What else it held must be gone. Errors: errReadOnly, engine.ErrMemoryLimit.
func (t *keyTx) putPlain(name string, v plainValue) error {
	if engine.Reserved(name) {
		return errReadOnly
	}
	b := v.encode()
	if err := t.space.room(len(b)); err != nil {
		return err
	}
	t.space.plain.add(name, len(b))
	t.space.mark(name)
	return t.tx.Put(plainPrefix+name, b)
}

// dropPlain takes the plain value of a key away, and reports whether it had one.
func (t *keyTx) dropPlain(name string) (bool, error) {
	v, err := t.plainAt(name)
	if err != nil || !t.space.plain.may(name) {
		return false, err
	}
	t.dropped = append(t.dropped, name)
	return v.kind != none, t.tx.Delete(plainPrefix + name)
}

// plainPrefix begins the private keys of plain values; the engine's word for the key follows.
const plainPrefix = "resp.plain\x00"

// room says why there is no room for so many bytes more of plain values, or nil: an engine in memory only limits its sets, and does
// not count private keys.
func (s *space) room(bytes int) error {
	set := s.e.Settings()
	if set.Stored || set.MemoryLimit == 0 {
		return nil
	}
	st, err := s.e.Stats()
	if have := int64(st.Memory) + s.plain.bytes.Load(); err == nil && have+int64(bytes) > set.MemoryLimit {
		err = fmt.Errorf("%w: %d bytes and %d more, the limit is %d", engine.ErrMemoryLimit, have, bytes, set.MemoryLimit)
	}
	return err
}

// sweepMore is how many plain values more there are, beside as many again, before those whose time is up are looked for.
const sweepMore = 1000

// sweepBatch is how many values one transaction of a sweep looks at.
const sweepBatch = 1000

// sweep deletes plain values whose time is up. It comes after as many have been stored as there were, so that they are never
// more than the others, and costs each little. O(plain values).
func (s *space) sweep() {
	for names := range slices.Chunk(s.plain.names(), sweepBatch) {
		s.forget(names)
	}
	s.plain.sweepAt.Store(2 * s.plain.n.Load())
}

// forget takes those of the keys out of plain that have no value any more, and deletes those whose time is up. Locking the keys keeps
// others from giving them one meanwhile. If it fails they are looked for in vain.
func (s *space) forget(names []string) {
	_, _ = s.e.UpdateLater(names, func(tx *engine.Tx) error {
		for _, name := range names {
			b, ok, err := tx.Get(plainPrefix + name)
			if err != nil {
				return err
			}
			if v, err := decodePlain(b); ok && (err != nil || v.expires.IsZero() || tx.Now().Before(v.expires)) {
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
	})
}

// settle ends the transaction, whether it has failed or not.
func (t *keyTx) settle() {
	if s := t.space; len(t.dropped) > 0 {
		s.forget(t.dropped)
	} else if n := s.plain.n.Load(); n > s.plain.sweepAt.Load()+sweepMore {
		s.sweep()
	}
}

// mayBePlain reports whether one of the keys may have a plain value.
func (s *space) mayBePlain(names ...string) bool { return slices.ContainsFunc(names, s.plain.may) }

// plainKeys returns the keys that may have plain values.
func (s *space) plainKeys() []string { return s.plain.names() }

// plainCount returns the number of keys that may have plain values.
func (s *space) plainCount() int { return int(s.plain.n.Load()) }
