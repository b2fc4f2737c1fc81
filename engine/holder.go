package engine

import (
	"slices"
	"time"

	"github.com/zrankdb/zrank/engine/internal/observe"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// held is a Tx as a locks.Transaction: a holder of locks, for reports of calls that wait.
type held Tx

// Find returns the key of a lock that the transaction has, "" for that of a stripe of private keys.
func (tx *held) Find(m *rwlock.Mutex) (key string, ok bool) {
	for at := range tx.stripes.Each {
		if m == tx.m.private.Lock(at) {
			return "", true
		}
	}
	tx.mu.Lock()
	defer tx.mu.Unlock()
	return handles(tx.sets).find(m)
}

// Describe returns the transaction, whose closure runs, as an Event shows it.
func (tx *held) Describe(now time.Duration) observe.Holder {
	tx.mu.Lock()
	defer tx.mu.Unlock()
	h := observe.Holder{Op: (*Tx)(tx).op(), N: len(tx.sets), Goroutine: tx.closure.Goroutine, Keys: observe.FirstKeys(len(tx.sets), func(i int) string { return tx.sets[i].key })}
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

// find returns the key that a lock belongs to, and false if it belongs to none of them.
func (hs handles) find(lock *rwlock.Mutex) (key string, ok bool) {
	if i := slices.IndexFunc(hs, func(h *handle) bool { return &h.lock.Mutex == lock }); i >= 0 {
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
