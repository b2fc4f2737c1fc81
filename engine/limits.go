package engine

import (
	"fmt"

	"github.com/zrankdb/zrank/persist"
	"github.com/zrankdb/zrank/zset"
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

// room says why the engine has no room for what the transaction, which has been settled, has made, or nil.
func (tx *Tx) room() error {
	if tx.e.maxSets == 0 && tx.e.maxMemory == 0 {
		return nil
	}
	sets, bytes := 0, 0
	for _, s := range tx.sets {
		if s.View == nil {
			continue
		}
		if !s.s.exists && s.Len() > 0 {
			sets++
		}
		if tx.e.maxMemory > 0 {
			bytes += sizeOf(s.s.z) - s.s.tally.size
		}
	}
	if have, most := tx.e.counters.sets(), tx.e.maxSets; sets > 0 && most > 0 && have+sets > most {
		return fmt.Errorf("%w: %d and %d more, the limit is %d", ErrTooManySets, have, sets, most)
	}
	if bytes > 0 {
		return tx.e.memoryAllowed(bytes)
	}
	return nil
}

// sizeOf returns the size of a set that a commit leaves; one without members goes.
func sizeOf(z *zset.Set) int {
	if z.Len() == 0 {
		return 0
	}
	return z.Size()
}

// memoryAllowed says why sets in memory only may not take so many bytes more, or nil.
func (e *Engine) memoryAllowed(more int) error {
	used := e.memory.used.Load()
	if used+int64(more) <= e.maxMemory {
		return nil
	}
	e.pressure(true)
	return fmt.Errorf("%w: %d bytes and %d more, the limit is %d", ErrMemoryLimit, used, more, e.maxMemory)
}

// pressure tells when sets begin to take more memory than they may, and when they end to.
func (e *Engine) pressure(over bool) {
	if e.pressed.Load() != over && e.pressed.CompareAndSwap(!over, over) {
		e.events.tell(Event{Kind: EventMemory, Ended: !over, Bytes: e.memory.used.Load()})
	}
}
