package rwlock

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
)

// guarded is what a lock guards in TestExclusion.
type guarded struct {
	Mutex
	t                *testing.T
	readers, writers atomic.Int32
	admits           atomic.Bool
	value            int // for the race detector too
	writes           atomic.Int64
}

func (g *guarded) read() {
	g.readers.Add(1)
	require.Zero(g.t, g.writers.Load(), "violates L1")
	_ = g.value
	g.readers.Add(-1)
}

func (g *guarded) write() {
	require.Equal(g.t, int32(1), g.writers.Add(1), "violates L1")
	require.Zero(g.t, g.readers.Load(), "violates L1")
	g.value++
	g.writes.Add(1)
	g.writers.Add(-1)
}

// admit is what a writer does between two changes.
func (g *guarded) admit() {
	g.admits.Store(true)
	g.Admit()
	require.Zero(g.t, g.readers.Load(), "violates L1")
	g.admits.Store(false)
}

// readAsGuest reads what the writer has left unchanged, and returns after it has released the lock, or given up.
func (g *guarded) readAsGuest(stall func(), done <-chan struct{}) {
	ok, guest := g.RLockGuest(done)
	if !ok {
		return
	}
	if !guest {
		g.read()
		stall()
		g.RUnlock()
		return
	}
	g.readers.Add(1)
	require.True(g.t, g.admits.Load(), "violates L1")
	_ = g.value
	stall()
	g.readers.Add(-1)
	g.RUnlock()
}

// patience returns a channel that is closed soon, or nil.
func patience(r *rand.Rand) <-chan struct{} {
	if r.IntN(3) > 0 {
		return nil
	}
	done, n := make(chan struct{}), r.IntN(50)
	go func() {
		for range n {
			runtime.Gosched()
		}
		close(done)
	}()
	return done
}

// use takes the lock in one of all ways, or gives up. Now and then it stalls while it has the lock.
func (g *guarded) use(r *rand.Rand) {
	stall := func() {
		if r.IntN(20) == 0 {
			runtime.Gosched()
		}
	}
	way, done := r.IntN(12), patience(r)
	switch {
	case way > 7:
		g.readAsGuest(stall, done)
		return
	case way == 0 && !g.LockUntil(done), way == 1 && !g.TryLock(), way == 2 && !g.TryRLock(), way > 2 && !g.RLockUntil(done):
		return
	}
	if way < 2 {
		g.write()
		if stall(); r.IntN(2) == 0 {
			g.admit()
			g.write()
		}
		g.Unlock()
		return
	}
	g.read()
	stall()
	if way > 3 {
		g.RUnlock()
		return
	}
	released := make(chan struct{})
	go func() { g.RUnlock(); close(released) }() // released by another goroutine
	<-released
}

// TestExclusion: many more goroutines than processors take the lock in every way, some of them stall while they have it, and it widens
// meanwhile. L1 must hold at every moment, and all must come to an end.
func TestExclusion(t *testing.T) {
	const goroutines, each = 64, 500
	for range 4 {
		g := guarded{t: t}
		var all sync.WaitGroup
		for id := range goroutines {
			all.Go(func() {
				r := rand.New(rand.NewPCG(uint64(id), 0))
				for range each {
					g.use(r)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, g.writes.Load(), g.value)
		require.Zero(t, g.count(), "violates L3")
		require.False(t, g.Wanted(), "violates L6")
		require.True(t, g.TryLock())
	}
}

// TestGivesUp: callers that give up, in the queue, as the heir, and as a writer that waits for readers, hold up nobody, and the others keep their order (L7).
func TestGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Mutex
		order := make(chan string, 8)
		run := func(name string, patience time.Duration, lock func(done <-chan struct{}) bool, unlock func()) {
			done := make(chan struct{})
			if patience > 0 {
				time.AfterFunc(patience, func() { close(done) })
			}
			go func() {
				if !lock(done) {
					order <- name + " gives up"
					return
				}
				order <- name
				unlock()
			}()
			synctest.Wait()
		}
		asGuest := func(done <-chan struct{}) bool { ok, _ := l.RLockGuest(done); return ok }
		l.Lock()
		run("heir", time.Second, l.LockUntil, l.Unlock)
		run("second", 0, l.LockUntil, l.Unlock)
		run("guest", 2*time.Second, asGuest, l.RUnlock)
		run("reader", 2*time.Second, l.RLockUntil, l.RUnlock)
		run("last", 0, l.RLockUntil, l.RUnlock)
		require.Equal(t, "heir gives up", <-order)
		require.ElementsMatch(t, []string{"guest gives up", "reader gives up"}, []string{<-order, <-order})
		require.False(t, l.Wanted())
		l.Unlock()
		require.Equal(t, []string{"second", "last"}, []string{<-order, <-order})

		l.RLock()
		run("writer", time.Second, l.LockUntil, l.Unlock)
		run("behind", 0, l.RLockUntil, l.RUnlock)
		require.Equal(t, "writer gives up", <-order)
		require.Equal(t, "behind", <-order)
		l.RUnlock()
		require.Zero(t, l.count())
		require.True(t, l.TryLock())
	})
}

// TestGuests: a writer admits the callers of RLockGuest that wait, also behind another writer, and nobody else (L6).
func TestGuests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Mutex
		order := make(chan string, 4)
		run := func(name string, lock func() bool, unlock func()) {
			go func() {
				guest := lock()
				time.Sleep(time.Second)
				order <- fmt.Sprint(name, " ", guest)
				unlock()
			}()
			synctest.Wait()
		}
		none := func(lock func()) func() bool { return func() bool { lock(); return false } }
		asGuest := func() bool { _, guest := l.RLockGuest(nil); return guest }
		l.Lock()
		run("second writer", none(l.Lock), l.Unlock)
		run("reader", none(l.RLock), l.RUnlock)
		run("guest", asGuest, l.RUnlock)
		run("another", asGuest, l.RUnlock)
		require.True(t, l.Wanted())
		l.Admit()
		require.False(t, l.Wanted())
		require.ElementsMatch(t, []string{"guest true", "another true"}, []string{<-order, <-order})
		run("late", asGuest, l.RUnlock)
		require.Empty(t, order, "violates L1")
		l.Unlock()
		require.Equal(t, "second writer false", <-order)
		require.ElementsMatch(t, []string{"reader false", "late false"}, []string{<-order, <-order})
		require.Zero(t, l.count())
	})
}

// TestOrder: a reader that comes after a writer must not overtake it, and a second writer must not overtake that reader (L4).
func TestOrder(t *testing.T) {
	for _, wide := range []bool{false, true} {
		var l Mutex
		if wide {
			l.widen()
		}
		order, leave := make(chan string, 3), make(chan struct{})
		run := func(name string, lock, unlock func(), waits func() bool) {
			go func() {
				lock()
				order <- name
				<-leave
				unlock()
			}()
			for !waits() {
				runtime.Gosched()
			}
		}
		drains := func() bool { return l.drainer.Load() != nil }
		line := func(heirs int, queued bool) func() bool {
			return func() bool {
				l.mu.Lock()
				defer l.mu.Unlock()
				return l.heirs == heirs && (l.queue.first != nil) == queued
			}
		}
		l.RLock()
		run("first writer", l.Lock, l.Unlock, drains)
		require.False(t, l.TryRLock(), "violates L4")
		require.False(t, l.TryLock())
		run("reader", l.RLock, l.RUnlock, line(1, false))
		require.Empty(t, order, "violates L1")
		l.RUnlock()
		require.Equal(t, "first writer", <-order)
		run("second writer", l.Lock, l.Unlock, line(1, true))
		leave <- struct{}{}
		require.Equal(t, "reader", <-order)
		leave <- struct{}{}
		require.Equal(t, "second writer", <-order)
		leave <- struct{}{}
	}
}

// TestWriterSleeps: a writer must wake when the last of several readers leaves, in whatever order they do, however long it has waited.
func TestWriterSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l Mutex
		const readers = 100
		for i := range readers {
			go func() {
				l.RLock()
				time.Sleep(time.Duration(1+i*37%readers) * time.Second)
				l.RUnlock()
			}()
		}
		synctest.Wait()
		began := time.Now()
		l.Lock()
		require.Equal(t, readers*time.Second, time.Since(began))
		l.Unlock()
		require.Zero(t, l.count())
	})
}

// TestWideOnlyIfShared: a lock that one goroutine at a time reads or writes has no row; a second reader gives it one.
func TestWideOnlyIfShared(t *testing.T) {
	var l Mutex
	for range 100 {
		l.RLock()
		l.RUnlock()
		l.Lock()
		l.Unlock()
	}
	require.Nil(t, l.wide.Load())
	l.RLock()
	l.RLock()
	require.NotNil(t, l.wide.Load())
	l.RUnlock()
	l.RUnlock()
	l.Lock()
	require.False(t, l.TryRLock())
	l.Unlock()
	require.Zero(t, l.count(), "violates L3: counted here and there")
}

// TestReadersShareNothing counts what readers write to memory that all of them write to (L5).
func TestReadersShareNothing(t *testing.T) {
	if !invariants.Enabled {
		t.Skip("only builds with -tags invariants count")
	}
	var l Mutex
	l.widen()
	before := Shared.Load()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 1000 {
				l.RLock()
				l.RUnlock()
				require.True(t, l.TryRLock())
				l.RUnlock()
			}
		})
	}
	all.Wait()
	require.Equal(t, before, Shared.Load(), "violates L5")
}

// BenchmarkRead reads under one lock from several goroutines, beside sync.RWMutex.
func BenchmarkRead(b *testing.B) {
	var ours Mutex
	ours.widen()
	var narrow Mutex
	var peer sync.RWMutex
	for _, x := range []struct {
		name string
		lock interface {
			RLock()
			RUnlock()
		}
	}{{"zrank", &ours}, {"zrank narrow", &narrow}, {"sync", &peer}} {
		b.Run(x.name, func(b *testing.B) {
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					x.lock.RLock()
					x.lock.RUnlock()
				}
			})
		})
	}
}
