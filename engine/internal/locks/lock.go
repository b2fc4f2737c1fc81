package locks

import (
	"sync"
	"sync/atomic"
)

// A lock belongs to a key, not to the set under the key. Transactions take locks in the order of keys. If a lock moved with its set, a
// transaction that waits for it would wait for another key's lock, out of order. So a set that gets another key gets the lock of that
// key, and a set that takes its place gets the lock that it had.

// KeyLock is the lock of a set. A caller that changes Of holds the old and the new lock for writing.
type KeyLock struct{ Of atomic.Pointer[sync.RWMutex] }

// Lock locks the set, even if it gets another key and lock while Lock waits. The caller must hold no other set's lock.
func (l *KeyLock) Lock() {
	for {
		m := l.Of.Load()
		if m.Lock(); l.Of.Load() == m {
			return
		}
		m.Unlock()
	}
}

// RLock is Lock for reading.
func (l *KeyLock) RLock() {
	for {
		m := l.Of.Load()
		if m.RLock(); l.Of.Load() == m {
			return
		}
		m.RUnlock()
	}
}

// TryLock locks the set if the lock is free, and reports whether it did.
func (l *KeyLock) TryLock() bool {
	m := l.Of.Load()
	if !m.TryLock() {
		return false
	}
	if l.Of.Load() == m {
		return true
	}
	m.Unlock()
	return false
}

// Unlock undoes Lock.
func (l *KeyLock) Unlock() { l.Of.Load().Unlock() }

// RUnlock undoes RLock.
func (l *KeyLock) RUnlock() { l.Of.Load().RUnlock() }
