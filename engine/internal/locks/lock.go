package locks

import (
	"sync"
	"sync/atomic"
)

// A lock belongs to a key, not to the set that has the key: transactions take locks in the order of keys, and one that waits for a
// key's lock must not find that it waits for another key's by now. So a set that gets another key gets the lock of that key, and
// the one that comes in its place keeps the lock.

// KeyLock is the lock of a set. A caller that changes which lock it is holds both, the old and the new one, for writing.
type KeyLock struct{ Of atomic.Pointer[sync.RWMutex] }

// Lock locks the set, whatever its key. The caller must hold no other set's lock.
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

// TryLock locks the set if it need not wait.
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
