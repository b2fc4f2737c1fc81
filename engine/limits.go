package engine

import (
	"fmt"

	"github.com/zrankdb/zrank/persist"
)

const (
	// MaxKey is the length of the longest key of a set, and of the longest private key, in bytes. The empty key is a key, as in
	// Redis.
	MaxKey = 64 << 10
	// MaxKeys is how many keys one transaction may name.
	MaxKeys = 64 << 10
	// MaxTransaction is how much one transaction may change, in bytes as encoded in the log: for each set that it changes its
	// key and 14 to 20 bytes; for each member the member, its tie, and 12 to 16 bytes; for each private key the key, the value and 3
	// to 9 bytes. It is what limits a single member or value, too. An engine made by New has no log and no such limit: there
	// zset.MaxMember limits members.
	MaxTransaction = persist.MaxCommit
)

// keysAllowed says why a transaction may not name the keys, which are in order, or nil.
func keysAllowed(keys []string) error {
	if len(keys) > MaxKeys {
		return fmt.Errorf("%w: %d, the limit is %d", ErrTooManyKeys, len(keys), MaxKeys)
	}
	for _, key := range keys {
		if err := keyAllowed(key); err != nil {
			return err
		}
	}
	return nil
}

// keyAllowed says why there can be no such key, or nil.
func keyAllowed(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: %d bytes beginning %q, the limit is %d", ErrKeyTooLong, len(key), key[:32], MaxKey)
	}
	return nil
}

// growth is what a transaction adds.
type growth struct {
	sets    int
	members int
	bytes   int
}

// growth returns what the transaction, which has been settled, adds.
func (tx *Tx) growth() (g growth) {
	for c := range tx.changes {
		was, n := c.s.tally, 0
		if c.owner != nil && c.s.z == nil {
			continue // nobody has looked at it
		}
		if c.owner != nil {
			n = c.s.z.Len()
		}
		g.members += n - int(was.members)
		g.bytes -= was.size
		if n > 0 {
			g.bytes += c.s.z.Size()
		}
		switch exists := n > 0; {
		case exists && !was.exists:
			g.sets++
		case was.exists && !exists:
			g.sets--
		}
	}
	return g
}

// withinLimits returns why the engine has no room for what the transaction, which has been settled, has made, or nil. A set that was
// refused room keeps what it has taken for the attempt; so the next attempt, which needs none, counts by its members.
func (tx *Tx) withinLimits() error {
	m := tx.m
	if m.maxSets == 0 && m.maxMemory == 0 {
		return nil
	}
	g := tx.growth()
	if g.sets > 0 && m.maxSets > 0 {
		if have := m.counters.sets(); have+g.sets > m.maxSets {
			return fmt.Errorf("%w: %d and %d more, the limit is %d", ErrTooManySets, have, g.sets, m.maxSets)
		}
	}
	if m.maxMemory == 0 || g.bytes <= 0 && g.members <= 0 {
		return nil
	}
	used := m.keys.accounts.used.Load()
	if used+int64(g.bytes) > m.maxMemory {
		m.pressure.pressed(used)
		return fmt.Errorf("%w: %d bytes and %d more, the limit is %d", ErrMemoryLimit, used, g.bytes, m.maxMemory)
	}
	m.pressure.relieved()
	return nil
}
