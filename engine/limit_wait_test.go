package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// diskGate makes operations that change the disk wait while it is shut.
type diskGate struct{ open atomic.Pointer[chan struct{}] }

func (g *diskGate) String() string { return "diskGate" }

func (g *diskGate) MaybeError(op errorfs.Op) error {
	if open := g.open.Load(); open != nil && powercut.Changes(op) {
		<-*open
	}
	return nil
}

// grow adds ten members to a set of one of many keys.
func grow(e *Engine, i int) error {
	key := fmt.Sprintf("s%d", i%50)
	return e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		for j := range 10 {
			err = errors.Join(err, second(s.Add(fmt.Appendf(nil, "member:%d:%d", i, j), float64(j))))
		}
		return err
	}, key)
}

// TestLimitStalled: while the disk does not answer, callers that need room get ErrMemoryLimit after StallTimeout, memory stays bounded, and sets
// in memory are read. When the disk answers, all go on.
func TestLimitStalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit, callers, timeout = 256 << 10, 200, 3 * time.Second
		g := &diskGate{}
		e := mustOpen(t, errorfs.Wrap(memfs.New(), g), Options{Durability: None, SnapshotBytes: -1, MemoryLimit: limit, StallTimeout: timeout})
		open := make(chan struct{})
		g.open.Store(&open)
		var refused, done atomic.Int64
		var wg sync.WaitGroup
		for w := range callers {
			wg.Go(func() {
				for i := 0; ; i++ {
					began := time.Now()
					err := grow(e, w*1000+i)
					if err == nil {
						done.Add(1)
						continue
					}
					require.True(t, errors.Is(err, ErrMemoryLimit) || errors.Is(err, ErrStalled), "%v", err)
					require.LessOrEqual(t, time.Since(began), timeout)
					refused.Add(1)
					return
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, callers, refused.Load())
		require.LessOrEqual(t, e.keys.Accounts.Used.Load(), int64(limit+limit/10+callers<<10), "what was running came on top")
		mustView(t, e, []string{"s1"}, func(tx *Tx) { require.Positive(t, named(t, tx, "s1").Len()) })
		close(open)
		time.Sleep(2 * residencyPause)
		synctest.Wait()
		for i := range 500 {
			require.NoError(t, grow(e, 300_000+i))
		}
		require.LessOrEqual(t, e.keys.Accounts.Used.Load(), int64(limit+limit/10))
		st, err := e.Stats()
		require.NoError(t, err)
		require.EqualValues(t, 10*(done.Load()+500), allMembers(t, e), "%+v", st)
		require.NoError(t, e.Close())
	})
}

// residencyPause is more than the time after which eviction tries again.
const residencyPause = 2 * time.Second

// allMembers counts the members of the sets of grow.
func allMembers(t *testing.T, e *Engine) (n int) {
	for i := range 50 {
		key := fmt.Sprintf("s%d", i)
		mustView(t, e, []string{key}, func(tx *Tx) { n += named(t, tx, key).Len() })
	}
	return n
}

// TestLimitNotWritten: writers do not go above the limit while no set can be written out; readers of sets on the disk go on.
func TestLimitNotWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 256 << 10
		e := mustOpen(t, memfs.New(), Options{Durability: None, SnapshotBytes: -1, MemoryLimit: limit, StallTimeout: time.Second})
		var refused atomic.Bool
		e.checkpoints.Paged = func(page []byte) []byte {
			if refused.Load() {
				return make([]byte, persist.MaxCommit+1) // which the store refuses
			}
			return page
		}
		for i := range 200 {
			require.NoError(t, grow(e, i))
		}
		refused.Store(true)
		var err error
		for i := 0; err == nil && i < 10_000; i++ {
			err = grow(e, 1000+i)
		}
		require.ErrorIs(t, err, ErrMemoryLimit)
		require.LessOrEqual(t, e.keys.Accounts.Used.Load(), int64(limit+limit/10))
		require.Positive(t, allMembers(t, e))
		refused.Store(false)
		time.Sleep(residencyPause)
		for i := range 100 {
			require.NoError(t, grow(e, 20_000+i))
		}
		require.NoError(t, e.Close())
	})
}

// TestLimitNobodyStarves: transactions over several sets, each of which nearly fills the limit, and one that is held for long, all end.
func TestLimitNobodyStarves(t *testing.T) {
	const limit, callers = 64 << 10, 8
	e := mustOpen(t, memfs.New(), Options{Durability: None, SnapshotBytes: -1, MemoryLimit: limit})
	keys := []string{"a", "b", "c", "d"}
	for _, key := range keys {
		mustUpdate(t, e, []string{key}, func(tx *Tx) {
			for i := range 900 {
				add(t, tx, key, fmt.Sprintf("member%d", i), 1)
			}
		})
	}
	var wg sync.WaitGroup
	for w := range callers {
		wg.Go(func() {
			for i := range times(60) {
				first := (w + i) % len(keys)
				some := []string{keys[first], keys[(first+1+w%3)%len(keys)]}
				if w == 0 {
					mustView(t, e, keys, func(tx *Tx) { time.Sleep(time.Millisecond) })
					continue
				}
				mustUpdate(t, e, some, func(tx *Tx) { add(t, tx, some[0], fmt.Sprintf("w%d:%d", w, i), 1) })
			}
		})
	}
	wg.Wait()
	require.NoError(t, e.Close())
}

// TestLimitClose: Close ends those that wait for room.
func TestLimitClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := &diskGate{}
		e := mustOpen(t, errorfs.Wrap(memfs.New(), g), Options{Durability: None, SnapshotBytes: -1, MemoryLimit: 64 << 10, StallTimeout: time.Hour})
		open := make(chan struct{})
		g.open.Store(&open)
		returned := make(chan error, 1)
		go func() {
			var err error
			for i := 0; err == nil; i++ {
				err = grow(e, i)
			}
			returned <- err
		}()
		synctest.Wait()
		require.Empty(t, returned)
		go func() {
			time.Sleep(time.Second)
			close(open)
		}()
		require.NoError(t, e.Close())
		require.ErrorIs(t, <-returned, ErrClosed)
	})
}

// TestLimitLoadedOnce: all callers that wait for a set get it by one load, also if others wait for other sets in between.
func TestLimitLoadedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys := []string{"a", "b", "c", "d"}
		e := reopened(t, memfs.New(), keys, Options{MemoryLimit: 60 << 10}) // one of them
		release := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() { mustView(t, e, keys[:1], func(*Tx) { <-release }) })
		synctest.Wait()
		for range 10 {
			for _, key := range keys[1:] {
				wg.Go(func() {
					mustView(t, e, []string{key}, func(tx *Tx) { require.Equal(t, 1000, named(t, tx, key).Len()) })
				})
			}
			synctest.Wait()
		}
		close(release)
		wg.Wait()
		st, err := e.Stats()
		require.NoError(t, err)
		require.Equal(t, len(keys), st.Loads)
		require.Positive(t, st.RoomWaits)
		require.NoError(t, e.Close())
	})
}

// reopened returns an engine on fs whose sets have a thousand members, all on the disk only.
func reopened(t *testing.T, fs persist.FS, keys []string, o Options) *Engine {
	e := mustOpen(t, fs, Options{})
	for _, key := range keys {
		mustUpdate(t, e, []string{key}, func(tx *Tx) {
			for i := range 1000 {
				add(t, tx, key, fmt.Sprintf("member%d", i), 1)
			}
		})
	}
	require.NoError(t, errors.Join(e.Snapshot(), e.Close()))
	return mustOpen(t, fs, o)
}

// TestLimitReadersGoOn: while the disk takes no writes, sets that have not changed leave for others that are read, within the limit.
func TestLimitReadersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit, timeout = 200 << 10, 5 * time.Second
		keys := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"}
		g := &diskGate{}
		e := reopened(t, errorfs.Wrap(memfs.New(), g), keys, Options{Durability: None, SnapshotBytes: -1, MemoryLimit: limit, StallTimeout: timeout})
		mustUpdate(t, e, keys[:1], func(tx *Tx) { add(t, tx, keys[0], "changed", 1) })
		open := make(chan struct{})
		g.open.Store(&open)
		began, size := time.Now(), 0
		for range 3 {
			for _, key := range keys {
				mustView(t, e, []string{key}, func(tx *Tx) { size = named(t, tx, key).Size() })
				require.LessOrEqual(t, e.keys.Accounts.Used.Load(), int64(limit+size))
			}
		}
		require.Less(t, time.Since(began), timeout)
		st, err := e.Stats()
		require.NoError(t, err)
		require.Positive(t, st.Evicted)
		close(open)
		synctest.Wait()
		require.NoError(t, e.Close())
	})
}
