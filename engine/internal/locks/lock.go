package locks

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/rwlock"
)

// A lock belongs to a key, not to the set under the key. Transactions take locks in the order of keys. If a lock moved with its set, a
// transaction that waits for it would wait for another key's lock, out of order. So a set that gets another key gets the lock of that
// key, and a set that takes its place gets the lock that it had.
//
// Of a million sets only a few are in use at a time, so a set has a Lock only then: it is attached to the set before it is used, and
// detached later. A detached Lock is never used for another set: a transaction that still waits for it would wait out of order. A caller
// that looks at many sets, one after the other, and waits for nothing meanwhile, may lend them one Lock that it holds all the time.
//
//   - A1: A Lock is detached only by a goroutine that holds it for writing. So the Lock of a locked set stays.
//   - A2: A caller that has locked a Lock checks that the set still has it, and begins again if not.
//   - A3: Lock.of is the set in the keyspace, or the staged set, that has the lock: while it names a set, that set has this lock. A set that
//     has left the keyspace keeps its last lock, which does not name it.

// KeyLock is the lock of a set. The zero value has no Lock attached.
type KeyLock struct{ has atomic.Pointer[Lock] }

// Lock is what callers wait on. The zero value is attached to no set: KeyLock makes others.
type Lock struct {
	rwlock.Mutex
	of     *KeyLock    // the lock of the set to which it is attached; nil: that has left the keyspace. The lock itself guards it
	cached atomic.Bool // a Cache has it
}

// Get returns the Lock of the set, and attaches one if there is none. O(1).
func (k *KeyLock) Get() *Lock {
	if l := k.has.Load(); l != nil {
		return l
	}
	return k.attach()
}

func (k *KeyLock) attach() *Lock {
	for {
		l := &Lock{of: k}
		if k.has.CompareAndSwap(nil, l) {
			return l
		}
		if l = k.has.Load(); l != nil {
			return l
		}
	}
}

// Has reports whether l is attached.
func (k *KeyLock) Has(l *Lock) bool { return k.has.Load() == l }

// Share makes l the lock of a set that is not in the keyspace, beside the set that has it.
func (k *KeyLock) Share(l *Lock) { k.has.Store(l) }

// Give makes l, which has been the lock of another set, that of this set. The caller holds the old and the new lock for writing.
func (k *KeyLock) Give(l *Lock) {
	k.Leave()
	k.has.Store(l)
	l.of = k
}

// Lend attaches l to a set that has no Lock attached, and reports whether it did. The caller holds l for writing, waits for nothing until
// TakeBack, and uses l for nothing else afterwards. O(1).
func (k *KeyLock) Lend(l *Lock) bool { return k.has.Load() == nil && k.has.CompareAndSwap(nil, l) }

// TakeBack detaches the Lock that Lend has attached.
func (k *KeyLock) TakeBack() { k.has.Store(nil) }

// Leave notes that the set leaves the keyspace, so that its lock does not keep it in memory. The caller holds the lock for writing.
func (k *KeyLock) Leave() {
	if l := k.has.Load(); l != nil && l.of == k {
		l.of = nil
	}
}

// detach detaches a lock that nobody holds, and reports whether it did. O(1).
func (l *Lock) detach() bool {
	if !l.TryLock() {
		return false
	}
	l.detachHeld()
	l.Unlock()
	return true
}

// detachHeld is detach for a caller that holds the lock for writing.
func (l *Lock) detachHeld() {
	if l.of != nil {
		l.of.has.Store(nil)
		l.of = nil
	}
}

// Lock locks the set, even if it gets another key and lock while Lock waits. The caller must hold no other set's lock.
func (k *KeyLock) Lock() {
	for {
		l := k.Get()
		if l.Lock(); k.Has(l) {
			return
		}
		l.Unlock()
	}
}

// RLock is Lock for reading.
func (k *KeyLock) RLock() {
	for {
		l := k.Get()
		if l.RLock(); k.Has(l) {
			return
		}
		l.RUnlock()
	}
}

// TryLock locks the set if the lock is free, and reports whether it did.
func (k *KeyLock) TryLock() bool {
	l := k.Get()
	if !l.TryLock() {
		return false
	}
	if k.Has(l) {
		return true
	}
	l.Unlock()
	return false
}

// Unlock undoes Lock.
func (k *KeyLock) Unlock() { k.has.Load().Release() }

// RUnlock undoes RLock.
func (k *KeyLock) RUnlock() { k.has.Load().RRelease() }

// Release unlocks a lock that is held for writing. It detaches one that no Cache has. O(1).
func (l *Lock) Release() {
	if !l.cached.Load() {
		l.detachHeld()
	}
	l.Unlock()
}

// RRelease unlocks a lock that is held for reading. It detaches one that no Cache has, unless another goroutine holds it. O(1).
func (l *Lock) RRelease() {
	if l.RUnlock(); !l.cached.Load() {
		l.detach()
	}
}

// Cache keeps the locks of sets that transactions have used lately attached.
type Cache struct {
	mu    sync.Mutex
	locks []*Lock
	next  int // the lock to be detached next
}

// cacheSize is how many locks a Cache keeps, if no more are held at a time, and cacheTries how many it tries to detach when it gets one
// more. Builds that check invariants detach often.
var cacheSize = 32

const cacheTries = 4

func init() {
	if invariants.Enabled {
		cacheSize = 1
	}
}

// Get returns the Lock of a set, attaches one if there is none, and keeps it attached for a while. O(1).
func (c *Cache) Get(k *KeyLock) *Lock {
	if l := k.has.Load(); l != nil && l.cached.Load() {
		return l
	}
	return c.get(k)
}

func (c *Cache) get(k *KeyLock) *Lock {
	l := k.Get()
	if l.cached.CompareAndSwap(false, true) {
		c.add(l)
	}
	return l
}

// add adds a lock. If there are too many, it detaches some of the oldest that nobody holds.
func (c *Cache) add(l *Lock) {
	c.mu.Lock()
	defer c.mu.Unlock()
	tries := cacheTries + (len(c.locks)-cacheSize)/cacheSize // more after a transaction of many keys
	for ; len(c.locks) >= cacheSize && tries > 0; tries-- {
		last := len(c.locks) - 1
		if c.next++; c.next > last {
			c.next = 0
		}
		if c.locks[c.next].detach() {
			c.locks[c.next], c.locks[last] = c.locks[last], nil
			c.locks = c.locks[:last]
		}
	}
	if c.locks = append(c.locks, l); cap(c.locks) > 4*max(len(c.locks), cacheSize) {
		c.locks = slices.Clone(c.locks)
	}
}
