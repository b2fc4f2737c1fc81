package resp

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zrankdb/zrank/engine"
)

// Strings and plain sets are here so that set operations can take plain sets, and sorted-set commands refuse what is none, as Redis
// does. Each is one private key of the engine and is written whole with every change: they are for a few small values.
//
//	+------+---------------------+------------------------------------------+
//	| kind | expiry, unix ms, BE | the string, or: uvarint length, member … |
//	| 1 B  | 8 B; 0: never       |                                          |
//	+------+---------------------+------------------------------------------+
//
// Two bits of the kind are marks of what Redis remembers of a value: see plainValue.

// plainPrefix begins the private keys of plain values; the engine's word for the key follows.
const plainPrefix = "resp.plain\x00"

// kind says what a key holds.
type kind byte

const (
	none kind = iota
	aString
	aSet
)

// plain knows which keys may have plain values, so that the many commands on sorted sets need not look. A key that is here may have
// none by now; one that is not here has none.
type plain struct {
	n     atomic.Int64
	bytes atomic.Int64 // of the values, about
	mu    sync.RWMutex
	keys  map[string]int // how many bytes each value has

	sweepAt atomic.Int64 // how many there are, and sweepMore, before the next sweep
}

// load finds the plain values that are stored.
func (p *plain) load(e *engine.Engine) error {
	p.keys = map[string]int{}
	return e.View(nil, func(tx *engine.Tx) error {
		for kv, err := range tx.Scan(plainPrefix) {
			if err != nil {
				return fmt.Errorf("resp: %w", err)
			}
			p.add(string(kv.Key)[len(plainPrefix):], len(kv.Value))
		}
		return nil
	})
}

func (p *plain) may(name string) bool {
	if p.n.Load() == 0 {
		return false
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	_, ok := p.keys[name]
	return ok
}

// add notes that a key may have a plain value of so many bytes.
func (p *plain) add(name string, bytes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes.Add(int64(bytes - p.keys[name]))
	p.keys[name] = bytes
	p.n.Store(int64(len(p.keys)))
}

func (p *plain) remove(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes.Add(-int64(p.keys[name]))
	delete(p.keys, name)
	p.n.Store(int64(len(p.keys)))
}

// names returns the keys that may have plain values.
func (p *plain) names() []string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	list := make([]string, 0, len(p.keys))
	for name := range p.keys {
		list = append(list, name)
	}
	return list
}

// plainValue is a plain value as it is stored.
type plainValue struct {
	kind    kind
	hashed  bool      // of a plain set: it once had a member that is no integer, or too many for an intset
	copied  bool      // of a string: COPY has made it
	expires time.Time // zero: never
	body    []byte
}

const (
	plainHeader = 1 + 8
	hashedBit   = 0x80 // of the kind, as the next
	copiedBit   = 0x40
)

func (v plainValue) encode() []byte {
	b := make([]byte, plainHeader, plainHeader+len(v.body))
	b[0] = byte(v.kind)
	if v.hashed {
		b[0] |= hashedBit
	}
	if v.copied {
		b[0] |= copiedBit
	}
	if !v.expires.IsZero() {
		binary.BigEndian.PutUint64(b[1:], uint64(v.expires.UnixMilli()))
	}
	return append(b, v.body...)
}

func decodePlain(b []byte) (v plainValue, err error) {
	if len(b) < plainHeader {
		return v, fmt.Errorf("resp: plain value of %d bytes that is none", len(b))
	}
	v.kind, v.hashed, v.copied = kind(b[0]&^(hashedBit|copiedBit)), b[0]&hashedBit != 0, b[0]&copiedBit != 0
	if v.kind != aSet && v.kind != aString || v.hashed && v.kind != aSet || v.copied && v.kind != aString {
		return plainValue{}, fmt.Errorf("resp: plain value of %d bytes that is none", len(b))
	}
	v.body = b[plainHeader:]
	if ms := binary.BigEndian.Uint64(b[1:]); ms != 0 {
		v.expires = time.UnixMilli(int64(ms))
	}
	return v, nil
}

// plainAt returns the plain value of a key; its kind is none if there is none, or its time is up.
func (t *txn) plainAt(name string) (v plainValue, err error) {
	if !t.c.s.plain.may(name) {
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
func (t *txn) plainKind(name string) (kind, error) {
	v, err := t.plainAt(name)
	return v.kind, err
}

// putPlain gives a key a plain value. What else it held must be gone. Errors: errReadOnly, engine.ErrMemoryLimit.
func (t *txn) putPlain(name string, v plainValue) error {
	if engine.Reserved(name) {
		return errReadOnly
	}
	b := v.encode()
	if err := t.c.s.room(len(b)); err != nil {
		return err
	}
	t.c.s.plain.add(name, len(b))
	t.c.s.watchers.tell(name)
	return t.tx.Put(plainPrefix+name, b)
}

// room says why there is no room for so many bytes more of plain values, or nil: an engine in memory only limits its sets, and does
// not count private keys.
func (s *Server) room(bytes int) error {
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

// dropPlain takes the plain value of a key away, and reports whether it had one.
func (t *txn) dropPlain(name string) (bool, error) {
	v, err := t.plainAt(name)
	if err != nil || !t.c.s.plain.may(name) {
		return false, err
	}
	t.gone = append(t.gone, name)
	return v.kind != none, t.tx.Delete(plainPrefix + name)
}

// drop deletes whatever a key holds, and reports whether it held anything. Errors: errReadOnly.
func (t *txn) drop(name string) (bool, error) {
	if err := t.changeable(name); err != nil {
		return false, err
	}
	plain, err := t.dropPlain(name)
	if err != nil {
		return false, err
	}
	sorted, err := t.tx.Drop(name) // under a plain value too: the program may have made one
	return plain || sorted, err
}

// changeable says why what keys hold may not be changed by clients, or nil.
func (t *txn) changeable(names ...string) error {
	for _, name := range names {
		stat, err := t.tx.Stat(name)
		if err != nil {
			return err
		}
		if stat.Ints || engine.Reserved(name) {
			return errReadOnly
		}
	}
	return nil
}

// movable says why what one key holds may not be put under another by clients, or nil. What is under a reserved key and is no board's
// may leave it.
func (t *txn) movable(from, to string) error {
	stat, err := t.tx.Stat(from)
	if err == nil && stat.Ints {
		err = errReadOnly
	}
	if err != nil {
		return err
	}
	return t.changeable(to)
}

// settle ends the transaction, whether it has failed or not.
func (t *txn) settle() {
	if s := t.c.s; len(t.gone) > 0 {
		s.forget(t.gone)
	} else if n := s.plain.n.Load(); n > s.plain.sweepAt.Load()+sweepMore {
		s.sweep()
	}
}

// sweepMore is how many plain values more there are, beside as many again, before those whose time is up are looked for.
const sweepMore = 1000

// sweep deletes plain values whose time is up. It comes after as many have been stored as there were, so that they are never
// more than the others, and costs each little. O(plain values).
func (s *Server) sweep() {
	for names := range slices.Chunk(s.plain.names(), flushKeys) {
		s.forget(names)
	}
	s.plain.sweepAt.Store(2 * s.plain.n.Load())
}

// forget takes those of the keys out of plain that have no value any more, and deletes those whose time is up. Locking the keys keeps
// others from giving them one meanwhile. If it fails they are looked for in vain.
func (s *Server) forget(names []string) {
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
