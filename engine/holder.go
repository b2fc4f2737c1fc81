package engine

import (
	"slices"
	"sync"
	"time"
)

// held is a transaction as those see it who wait for its locks.
type held Tx

// find returns the key of a lock that the transaction has, "" for that of the private keys.
func (tx *held) find(m *sync.RWMutex) (key string, ok bool) {
	if m == &tx.m.private.mu {
		return "", tx.holds.Load()
	}
	return handles(tx.sets).find(m)
}

// describe tells of a transaction whose closure runs.
func (tx *held) describe(now time.Duration) Holder {
	h := Holder{Op: (*Tx)(tx).op(), N: len(tx.sets), Goroutine: tx.closure.goroutine, Keys: firstKeys(len(tx.sets), func(i int) string { return tx.sets[i].key })}
	if tx.began != 0 {
		h.Duration = now - tx.began
	}
	return h
}

// op is what a transaction is called in an Event.
func (tx *Tx) op() string {
	if tx.write {
		return "update"
	}
	return "view"
}

// handles are keys that a transaction has locked.
type handles []*handle

// find returns the key that a lock is of; false: of none of them.
func (hs handles) find(lock *sync.RWMutex) (key string, ok bool) {
	if i := slices.IndexFunc(hs, func(h *handle) bool { return h.lock == lock }); i >= 0 {
		return hs[i].key, true
	}
	return "", false
}

// keys returns the keys. O(keys).
func (hs handles) keys() []string {
	keys := make([]string, len(hs))
	for i, h := range hs {
		keys[i] = h.key
	}
	return keys
}
