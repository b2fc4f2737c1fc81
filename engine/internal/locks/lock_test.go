package locks

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCache checks that a cache detaches locks that nobody holds, and no others, and that a lock moves with its key.
func TestCache(t *testing.T) {
	var c Cache
	sets := make([]KeyLock, 4*cacheSize+4)
	for i := range sets {
		c.Get(&sets[i]).RLock()
	}
	require.Len(t, c.locks, len(sets), "all are held")
	held := sets[0].Get()
	for i := range sets[1:] {
		sets[1+i].Get().RUnlock()
	}
	for i := range sets {
		c.Get(&sets[i])
	}
	for range sets {
		c.Get(&KeyLock{})
	}
	attached := 0
	for i := range sets {
		if sets[i].has.Load() != nil {
			attached++
		}
	}
	require.LessOrEqual(t, attached, cacheSize+1)
	require.True(t, sets[0].Has(held), "violates A1")
	held.RUnlock()

	var from, to, gone KeyLock
	from.Lock()
	to.Lock()
	a, b := from.Get(), to.Get()
	gone.Share(b)
	from.Give(b)
	require.Same(t, &from, b.of)
	require.Nil(t, a.of, "no set has the lock that the moved set had")
	from.Unlock()
	require.False(t, from.Has(b), "no cache has it")
	require.True(t, gone.Has(b), "violates A3")
	a.Unlock()
}

// counted is a set.
type counted struct {
	KeyLock
	n int
}

// lend calls fn with the sets that nobody uses, one after the other, under one lock.
func lend(sets []counted, fn func(*counted)) {
	var l Lock
	l.Lock()
	defer l.Unlock()
	for i := range sets {
		if sets[i].Lend(&l) {
			fn(&sets[i])
			sets[i].TakeBack()
		}
	}
}

// TestDetach locks sets from many goroutines, while a cache detaches their locks all the time.
func TestDetach(t *testing.T) {
	var c Cache
	var sets [8]counted
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 4000 {
				switch s := &sets[(i*7+g)%len(sets)]; (i + g) % 4 {
				case 0:
					l := c.Get(&s.KeyLock)
					if l.Mutex.Lock(); s.Has(l) {
						s.n++
					}
					l.Mutex.Unlock()
				case 1:
					s.Lock()
					s.n++
					s.Unlock()
				case 2:
					lend(sets[:], func(s *counted) { s.n++ })
				default:
					s.RLock()
					_ = s.n
					s.RUnlock()
				}
				if i%64 == 0 { // detaches the locks of the sets
					others := make([]KeyLock, cacheSize)
					for j := range others {
						c.Get(&others[j])
					}
					runtime.Gosched()
				}
			}
		})
	}
	wg.Wait()
}

// TestCacheShrinks: after a transaction has held many locks at a time, the cache is soon as small as before.
func TestCacheShrinks(t *testing.T) {
	var c Cache
	sets := make([]KeyLock, 100*cacheSize)
	for i := range sets {
		c.Get(&sets[i]).RLock()
	}
	for i := range sets {
		sets[i].Get().RRelease()
	}
	for range 20 * cacheSize {
		c.Get(&KeyLock{})
	}
	require.LessOrEqual(t, len(c.locks), cacheSize)
	require.LessOrEqual(t, cap(c.locks), 8*cacheSize)
}
