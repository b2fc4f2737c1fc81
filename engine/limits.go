package engine

import (
	"fmt"

	"github.com/zrankdb/zrank/persist"
)

// The limits of keys and transactions.
const (
	// MaxKey is the length of the longest key of a set, and of the longest private key, in bytes. The empty key is a key, as in
	// Redis.
	MaxKey = 64 << 10
	// MaxKeys is how many keys one transaction may name.
	MaxKeys = 64 << 10
	// MaxTransaction is how much one transaction may change, in bytes as encoded in the log: for each set that it changes its key and 14 to
	// 20 bytes; for each member the member, its tie, and 12 to 16 bytes; for each private key the key, the value and 3 to 9 bytes. It limits
	// a single member or value too. An engine made by New has no log and no such limit: there zset.MaxMember limits members.
	MaxTransaction = persist.MaxCommit
)

// keysAllowed returns an error if the keys are too many or one is too long.
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

// keyAllowed returns an error if the key is too long.
func keyAllowed(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: %d bytes beginning %q, the limit is %d", ErrKeyTooLong, len(key), key[:32], MaxKey)
	}
	return nil
}

// growth is what a transaction adds to the engine; it may be negative.
type growth struct {
	sets    int
	members int
	bytes   int
}

// growth returns what the transaction, which has been settled, adds to the engine.
func (tx *Tx) growth() (g growth) {
	for c := range tx.changes {
		n := 0
		if c.owner != nil && c.S.Entries == nil {
			continue // the transaction has not used it
		}
		if c.owner != nil {
			n = c.S.Entries.Len()
		}
		existed, members, size := c.S.Counted()
		g.members += n - members
		g.bytes -= size
		if n > 0 {
			g.bytes += c.S.Entries.Size()
		}
		switch exists := n > 0; {
		case exists && !existed:
			g.sets++
		case existed && !exists:
			g.sets--
		}
	}
	return g
}

// withinLimits returns an error if the transaction, which has been settled, would exceed MaxSets or MaxMemory. A set keeps the memory that
// it took for a refused attempt. So the next attempt adds no bytes; it is checked nevertheless, because it adds members.
func (tx *Tx) withinLimits() error {
	m := tx.m
	if m.maxSets == 0 && m.maxMemory == 0 {
		return nil
	}
	g := tx.growth()
	if g.sets > 0 && m.maxSets > 0 {
		if have := m.counters.Sets(); have+g.sets > m.maxSets {
			return fmt.Errorf("%w: %d and %d more, the limit is %d", ErrTooManySets, have, g.sets, m.maxSets)
		}
	}
	if m.maxMemory == 0 || g.bytes <= 0 && g.members <= 0 {
		return nil
	}
	used := m.keys.Accounts.Used.Load()
	if used+int64(g.bytes) > m.maxMemory {
		m.pressure.Pressed(used)
		return fmt.Errorf("%w: %d bytes and %d more, the limit is %d", ErrMemoryLimit, used, g.bytes, m.maxMemory)
	}
	m.pressure.Relieved()
	return nil
}
