package txn

import (
	"fmt"

	"github.com/zrankdb/zrank/persist"
)

// The limits of transactions and keys; package engine says what they mean.
const (
	MaxKey         = 64 << 10          // bytes
	MaxKeys        = 64 << 10          // of one transaction
	MaxTransaction = persist.MaxCommit // bytes as encoded in the log
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
	if m.MaxSets == 0 && m.MaxMemory == 0 {
		return nil
	}
	g := tx.growth()
	if g.sets > 0 && m.MaxSets > 0 {
		if have := m.Counters.Sets(); have+g.sets > m.MaxSets {
			return fmt.Errorf("%w: %d and %d more, the limit is %d", ErrTooManySets, have, g.sets, m.MaxSets)
		}
	}
	if m.MaxMemory == 0 || g.bytes <= 0 && g.members <= 0 {
		return nil
	}
	used := m.Keys.Accounts.Used.Load()
	if used+int64(g.bytes) > m.MaxMemory {
		m.Pressure.Pressed(used)
		return fmt.Errorf("%w: %d bytes and %d more, the limit is %d", ErrMemoryLimit, used, g.bytes, m.MaxMemory)
	}
	m.Pressure.Relieved()
	return nil
}
