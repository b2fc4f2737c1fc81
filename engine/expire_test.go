package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// A synctest bubble ends only when every goroutine in it has ended. So each of these tests also shows that Close ends the collector.

// timely runs a test in a bubble, on an engine in memory and on a stored one. jump moves the engine's clock.
func timely(t *testing.T, f func(t *testing.T, e *Engine, jump func(time.Duration))) {
	for _, name := range []string{"memory", "stored"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var off atomic.Int64
				o := Options{Clock: func() time.Time { return time.Now().Add(time.Duration(off.Load())) }}
				e, err := New(o)
				if name == "stored" {
					e, err = mustOpen(t, persist.MemFS(), o), nil
				}
				require.NoError(t, err)
				f(t, e, func(d time.Duration) { off.Add(int64(d)) })
				require.NoError(t, inOrderInside(e))
				require.NoError(t, e.Close())
			})
		})
	}
}

// after lets time pass, and waits until all goroutines in the bubble are idle.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func counts(t testing.TB, e *Engine, want int) {
	t.Helper()
	n, err := e.Count()
	require.NoError(t, err)
	require.Equal(t, want, n)
}

func expireIn(t testing.TB, e *Engine, key string, d time.Duration) {
	t.Helper()
	ok, err := e.ExpireIn(t.Context(), key, d)
	require.NoError(t, err)
	require.True(t, ok)
}

// TestCollector: sets are dropped at their expiry, to the millisecond, without a call.
func TestCollector(t *testing.T) {
	timely(t, func(t *testing.T, e *Engine, _ func(time.Duration)) {
		keys := someSets(t, e, "k", 300)
		for i, key := range keys[:200] {
			expireIn(t, e, key, time.Duration(200-i)*50*time.Millisecond)
		}
		for left := 300; left > 100; left-- {
			counts(t, e, left)
			after(49 * time.Millisecond)
			counts(t, e, left)
			after(time.Millisecond)
		}
		after(time.Hour)
		counts(t, e, 100)
		expireIn(t, e, keys[299], time.Minute) // the collector waits for nothing; this wakes it
		after(time.Minute)
		counts(t, e, 99)
	})
}

// TestCollectorManyAtOnce: many sets that expire at once are dropped one by one, while transactions change and read sets.
func TestCollectorManyAtOnce(t *testing.T) {
	timely(t, func(t *testing.T, e *Engine, jump func(time.Duration)) {
		n := times(10_000)
		if invariants.Enabled { // the list of those that are due is checked at every change
			n = 300
		}
		for _, key := range someSets(t, e, "k", n) {
			expireIn(t, e, key, time.Minute)
		}
		before := e.seq()
		jump(time.Minute)
		var wg sync.WaitGroup
		updates := n / 10
		wg.Go(func() {
			for i := range updates {
				key := fmt.Sprintf("k%05d", i)
				there, err := e.Exists(t.Context(), key)
				require.NoError(t, err)
				require.Zero(t, there, "whether it has been dropped or not")
				mustUpdate(t, e, []string{key}, func(tx *Tx) {
					require.Zero(t, named(t, tx, key).Len())
					add(t, tx, key, "new", float64(i))
				})
			}
		})
		wg.Wait()
		after(2 * time.Second)
		counts(t, e, updates)
		keys, err := e.Keys("")
		require.NoError(t, err)
		require.Len(t, keys, updates)
		if commits := e.seq() - before; e.store != nil {
			require.GreaterOrEqual(t, commits, uint64(n), "each in a commit of its own")
			t.Logf("%d sets, %d commits", n, commits)
		}
	})
}

// seq returns the number of commits; 0 in memory.
func (e *Engine) seq() uint64 {
	if e.store == nil {
		return 0
	}
	return e.store.LastSeq()
}

// TestCollectorFollows: the collector follows an expiry that is moved or removed, and a set that is renamed, copied or dropped.
func TestCollectorFollows(t *testing.T) {
	timely(t, func(t *testing.T, e *Engine, _ func(time.Duration)) {
		for _, key := range someSets(t, e, "k", 8) {
			expireIn(t, e, key, time.Minute)
		}
		expireIn(t, e, "k00000", time.Hour)
		expireIn(t, e, "k00001", time.Second)
		_, err := e.Persist(t.Context(), "k00002")
		require.NoError(t, err)
		require.NoError(t, e.Rename(t.Context(), "k00003", "moved"))
		mustUpdate(t, e, []string{"k00004", "copied"}, func(tx *Tx) { require.NoError(t, tx.Copy("k00004", "copied")) })
		_, err = e.Delete(t.Context(), "k00005")
		require.NoError(t, err)
		mustUpdate(t, e, []string{"k00006"}, func(tx *Tx) { // a set of that key that stays
			_, err := tx.Drop("k00006")
			require.NoError(t, err)
			add(t, tx, "k00006", "x", 1)
		})
		require.ErrorIs(t, e.Update(t.Context(), func(tx *Tx) error {
			_, err := named(t, tx, "k00007").Persist()
			require.NoError(t, err)
			return errScript
		}, "k00007"), errScript)
		counts(t, e, 8)
		require.NoError(t, inOrderInside(e))
		after(time.Second)
		counts(t, e, 7)
		after(58 * time.Second)
		counts(t, e, 7)
		after(time.Second)
		keys, err := e.Keys("")
		require.NoError(t, err)
		require.Equal(t, []string{"k00000", "k00002", "k00006"}, keys)
		after(time.Hour)
		counts(t, e, 2)
	})
}

// TestClockJumps: the collector notices a jump of the clock within ExpiryBeat. After a jump back sets stay longer by that time.
func TestClockJumps(t *testing.T) {
	timely(t, func(t *testing.T, e *Engine, jump func(time.Duration)) {
		for _, key := range someSets(t, e, "k", 100) {
			expireIn(t, e, key, time.Hour)
		}
		jump(-24 * time.Hour)
		after(2 * time.Hour)
		counts(t, e, 100)
		jump(23*time.Hour - expiryBeat)
		after(expiryBeat)
		counts(t, e, 0)
	})
}

// TestCollectTooEarly: if the collector has read a later time than its transaction reads, the set stays, and stays in the index of expiries; so
// does a cold set.
func TestCollectTooEarly(t *testing.T) {
	fs, now := persist.MemFS(), time.UnixMilli(1e12)
	o := Options{lazy: true, Clock: func() time.Time { return now }}
	e := mustOpen(t, fs, o)
	expireIn(t, e, someSets(t, e, "k", 2)[0], time.Second)
	require.NoError(t, e.Snapshot())
	for range 2 {
		for _, key := range []string{"k00000", "k00001", "none"} {
			require.NoError(t, second(e.m.collect(key)))
		}
		counts(t, e, 2)
		require.NoError(t, inOrderInside(e))
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, o)
	}
	now = now.Add(time.Second)
	require.NoError(t, second(e.m.collect("k00000")))
	require.NoError(t, second(e.m.collect("k00001")))
	counts(t, e, 1)
	require.NoError(t, inOrderInside(e))
	require.NoError(t, e.Close())
}

// TestExpiryOfColdSets: an expired set is not read from the disk: not by the collector, not by a call that names it, and not by Open. Expiries
// hold across restarts.
func TestExpiryOfColdSets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fs := persist.MemFS()
		e := mustOpen(t, fs, Options{})
		for i, key := range someSets(t, e, "k", 100) {
			expireIn(t, e, key, time.Duration(i+1)*time.Minute)
		}
		require.NoError(t, e.Snapshot())
		expireIn(t, e, "k00099", 25*time.Minute) // that is in the log
		require.NoError(t, e.Close())
		time.Sleep(20 * time.Minute)
		e = mustOpen(t, fs, Options{lazy: true})
		counts(t, e, 100)
		for i := range 30 {
			key := fmt.Sprintf("k%05d", i)
			want := 0
			if i >= 20 {
				want = 1
			}
			n, err := e.Exists(t.Context(), key)
			require.NoError(t, err)
			require.Equal(t, want, n, key)
			if i < 20 {
				mustView(t, e, []string{key}, func(tx *Tx) {
					s := named(t, tx, key)
					at, ok := s.Expiry()
					require.Zero(t, s.Len(), "%v %v %v", s.Version(), at, ok)
				})
			}
		}
		mustUpdate(t, e, []string{"k00000"}, func(tx *Tx) { add(t, tx, "k00000", "new", 1) })
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, Options{})
		after(0)
		counts(t, e, 81)
		require.Equal(t, 1, e.Recovery().Loaded, "the new set; the log also names its predecessor, only to drop it")
		after(5 * time.Minute)
		counts(t, e, 75)
		require.NoError(t, inOrderInside(e))
		after(100 * time.Minute)
		counts(t, e, 1)
		st, err := e.Stats()
		require.NoError(t, err)
		require.Zero(t, st.Loads)
		require.NoError(t, e.Snapshot())
		require.NoError(t, e.Close())
		e = mustOpen(t, fs, Options{})
		require.Contains(t, stateText(t, e), `"new"=1`)
		counts(t, e, 1)
		require.NoError(t, e.Close())
	})
}

// TestCollectorAndBadDisks: if an expired set cannot be dropped because the disk is full or silent, no call sees it, and it is dropped when the
// disk works again. After the disk has failed the collector ends.
func TestCollectorAndBadDisks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem, disk := memfs.NewCrashable(), &slow{}
		free := func(mb uint64) {
			mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
			after(time.Second)
		}
		free(1000)
		e := mustOpen(t, errorfs.Wrap(mem, disk), Options{})
		for _, key := range someSets(t, e, "k", 200) {
			expireIn(t, e, key, time.Minute)
		}
		free(10)
		after(2 * time.Minute)
		counts(t, e, 200)
		n, err := e.Exists(t.Context(), "k00000", "k00199")
		require.NoError(t, err)
		require.Zero(t, n)
		require.Len(t, allExpiries(e.m.expiries), 200)
		free(1000)
		after(2 * time.Second)
		counts(t, e, 0)
		for _, key := range someSets(t, e, "b", 200) {
			expireIn(t, e, key, time.Minute)
		}
		disk.delay.Store(int64(10 * time.Minute))
		require.ErrorIs(t, setX(e, "a", 1), ErrStalled)
		after(2 * time.Minute)
		counts(t, e, 201)
		disk.delay.Store(0)
		after(10 * time.Minute)
		counts(t, e, 1)
		require.NoError(t, inOrderInside(e))
		require.NoError(t, e.Close())
	})
	synctest.Test(t, func(t *testing.T) {
		f := &faulty{}
		f.left.Store(1 << 40)
		e := mustOpen(t, errorfs.Wrap(memfs.New(), f), Options{})
		for _, key := range someSets(t, e, "k", 2) {
			expireIn(t, e, key, time.Minute)
		}
		f.left.Store(0)
		require.ErrorIs(t, setX(e, "a", 1), ErrPersistence)
		after(time.Hour)
		n, err := e.Exists(t.Context(), "k00000", "k00001")
		require.NoError(t, err)
		require.Zero(t, n)
		require.Error(t, e.Close())
	})
}

// TestCollectorTriesAgain: a set that the collector could not drop stays in the index of expiries.
func TestCollectorTriesAgain(t *testing.T) {
	require.NoError(t, collectorTriesAgain())
}

// TestExpiryLimits: times at which nothing can expire, and those at the edges.
func TestExpiryLimits(t *testing.T) {
	last := time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)
	onBoth(t, func(t *testing.T, e *Engine) {
		now := time.UnixMilli(1e12)
		e.m.clock = func() time.Time { return now }
		for _, row := range []struct {
			at   time.Time
			want error
			gone bool
		}{
			{time.Time{}, ErrTime, false},
			{time.UnixMilli(-1), ErrTime, false},
			{time.UnixMilli(0), ErrTime, false},
			{time.UnixMilli(1), nil, true},
			{now.Add(-1), nil, true},
			{now, nil, true},
			{now.Add(time.Millisecond - 1), nil, true}, // whole milliseconds
			{now.Add(time.Millisecond), nil, false},
			{last, nil, false},
			{last.Add(1), ErrTime, false},
			{time.Unix(math.MaxInt64, 0), ErrTime, false},
			{time.Unix(math.MaxInt64/1000+1, 0), ErrTime, false}, // in milliseconds it is no int64
			{time.Unix(1<<62, 0), ErrTime, false},
		} {
			mustUpdate(t, e, []string{"a"}, func(tx *Tx) { add(t, tx, "a", "x", 1) })
			ok, err := e.ExpireAt(t.Context(), "a", row.at)
			require.ErrorIs(t, err, row.want, row.at)
			require.Equal(t, row.want == nil, ok, row.at)
			at, exists, err := e.Expiry("a")
			require.NoError(t, err)
			require.Equal(t, !row.gone, exists, row.at)
			if ok && exists {
				require.Equal(t, row.at.UnixMilli(), at.UnixMilli())
			}
			ok, err = e.ExpireAt(t.Context(), "none", row.at)
			require.ErrorIs(t, err, row.want)
			require.False(t, ok)
		}
		mustView(t, e, []string{"a"}, func(tx *Tx) {
			_, err := named(t, tx, "a").ExpireAt(now)
			require.ErrorIs(t, err, ErrReadOnly)
			_, err = named(t, tx, "a").Persist()
			require.ErrorIs(t, err, ErrReadOnly)
		})
		require.NoError(t, inOrderInside(e))
	})
}

// TestCollectorUnderLoad: sets get expiries, lose them, are renamed and vanish, while the collector drops them in real time and snapshots run.
// At the end the index of expiries is right, and only sets without an expiry stay.
func TestCollectorUnderLoad(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		var wg sync.WaitGroup
		for w := range 4 {
			wg.Go(func() {
				rng := rand.New(rand.NewPCG(uint64(w), 5))
				for range times(2000) {
					a, b := fmt.Sprint("k", rng.IntN(30)), fmt.Sprint("k", rng.IntN(30))
					mustUpdate(t, e, []string{a, b}, func(tx *Tx) { vanishing(t, tx, rng, a, b) })
				}
			})
		}
		wg.Go(func() {
			for range 20 {
				require.NoError(t, e.Snapshot())
			}
		})
		wg.Wait()
		require.NoError(t, e.Close())
		require.NoError(t, inOrderInside(e))
	})
}

func vanishing(t testing.TB, tx *Tx, rng *rand.Rand, a, b string) {
	s := named(t, tx, a)
	if at, ok := s.Expiry(); ok && !tx.Now().Before(at) {
		t.Errorf("%s is seen %v after its time", a, tx.Now().Sub(at))
	}
	var err error
	switch rng.IntN(6) {
	case 0, 1:
		_, err = s.Add([]byte("x"), rng.Float64())
	case 2, 3:
		_, err = s.ExpireIn(time.Duration(rng.IntN(5)) * time.Millisecond)
	case 4:
		_, err = s.Persist()
	case 5:
		if s.Len() > 0 {
			err = tx.Rename(a, b)
		}
	}
	require.NoError(t, err)
}
