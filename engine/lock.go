package engine

import (
	"sync"
	"sync/atomic"
)

// A lock belongs to a key, not to the set that has the key: transactions take locks in the order of keys, and one that waits for a
// key's lock must not find that it waits for another key's by now. So a set that gets another key gets the lock of that key, and
// the one that comes in its place keeps the lock.

// lock is the lock of a set. Only who holds it for writing, and the lock that comes in its place too, may change which it is.
type lock struct{ of atomic.Pointer[sync.RWMutex] }

// Lock locks the set, whatever its key. The caller must hold no other set's lock.
func (l *lock) Lock() {
	for {
		m := l.of.Load()
		if m.Lock(); l.of.Load() == m {
			return
		}
		m.Unlock()
	}
}

// RLock is Lock for reading.
func (l *lock) RLock() {
	for {
		m := l.of.Load()
		if m.RLock(); l.of.Load() == m {
			return
		}
		m.RUnlock()
	}
}

// TryLock locks the set if it need not wait.
func (l *lock) TryLock() bool {
	m := l.of.Load()
	if !m.TryLock() {
		return false
	}
	if l.of.Load() == m {
		return true
	}
	m.Unlock()
	return false
}

func (l *lock) Unlock()  { l.of.Load().Unlock() }
func (l *lock) RUnlock() { l.of.Load().RUnlock() }
