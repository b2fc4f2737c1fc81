package engine

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// crowd calls one function in n goroutines, once all of them are there, and returns the errors.
func crowd(n int, call func(i int) error) (errs []error) {
	var all, there sync.WaitGroup
	errs = make([]error, n)
	there.Add(n)
	for i := range n {
		all.Go(func() {
			there.Done()
			there.Wait()
			errs[i] = call(i)
		})
	}
	all.Wait()
	return errs
}

// TestCrowdOnSilentDisk: 10,000 callers change 100 sets while the disk does not answer. Each gets its answer within a few times
// StallTimeout, and no call is lost or half done: memory is what the disk has when it answers again.
func TestCrowdOnSilentDisk(t *testing.T) {
	callers := times(10_000)
	synctest.Test(t, func(t *testing.T) {
		mem, disk := memfs.NewCrashable(), &slow{}
		e := mustOpen(t, errorfs.Wrap(mem, disk), Options{StallTimeout: time.Second})
		require.NoError(t, setX(e, "0", -1))
		disk.delay.Store(int64(time.Minute))
		before, start := heapBytes(), time.Now()
		errs := crowd(callers, func(i int) error { return setX(e, fmt.Sprint(i%100), float64(i)) })
		require.LessOrEqual(t, time.Since(start), 3*time.Second)
		require.Less(t, heapBytes()-before, 64<<20, "callers that have their answer keep nothing")
		stalled := 0
		for _, err := range errs {
			if err != nil {
				require.ErrorIs(t, err, ErrStalled)
				stalled++
			}
		}
		require.Positive(t, stalled)
		state := stateText(t, e)
		disk.delay.Store(0)
		time.Sleep(2 * time.Minute)
		require.NoError(t, setX(e, "last", 1), "it goes on by itself")
		require.NoError(t, e.Close())
		e = mustOpen(t, mem, Options{})
		require.NoError(t, e.Update(t.Context(), func(tx *Tx) error { tx.Drop("last"); return nil }, "last"))
		require.Equal(t, state, stateText(t, e))
		require.NoError(t, e.Close())
		matrix.Row(t, 27, "%d callers on a silent disk: %d get ErrStalled, and memory is what the disk has afterwards", callers, stalled)
	})
}

// TestCrowdOnOneKey: of 64 callers who change one set without a pause, the slowest is served at least a tenth as often as the fastest.
// The holder of the set yields, so that the others come to wait for it.
func TestCrowdOnOneKey(t *testing.T) {
	const callers = 64
	inMemory, err := New(Options{})
	require.NoError(t, err)
	for _, e := range []*Engine{inMemory, mustOpen(t, memfs.New(), Options{})} {
		const early = 10_000_000 // calls before all have come: then some caller is never served
		var total, came, calls atomic.Int64
		var served [callers]int
		errs := crowd(callers, func(i int) (err error) {
			for mine := 0; err == nil && total.Load() < int64(times(200*callers)) && calls.Load() < early; mine++ {
				if mine == 1 {
					came.Add(1)
				}
				if came.Load() == callers { // on a busy machine some begin late; once all are there they are counted
					total.Add(1)
					served[i]++
				} else {
					calls.Add(1)
				}
				err = e.Update(t.Context(), func(tx *Tx) error {
					s, err := tx.Set("one")
					if err == nil {
						_, err = s.IncrBy([]byte{byte(i)}, 1)
					}
					runtime.Gosched()
					return err
				}, "one")
			}
			return err
		})
		require.NoError(t, errors.Join(errs...))
		require.EqualValues(t, callers, came.Load(), "callers that were served before %d calls", early)
		least, most := served[0], served[0]
		for _, n := range served {
			least, most = min(least, n), max(most, n)
		}
		require.GreaterOrEqual(t, 10*least, most, "%v", served)
		require.NoError(t, e.Close())
	}
}

// TestFloodOfKeys: 64 callers make many sets, with the log cut as often as it grows to a MiB. What the next Open would read stays small.
func TestFloodOfKeys(t *testing.T) {
	const callers = 64
	fs, keys := memfs.New(), matrix.Pick(times(20_000), 100_000)
	e := mustOpen(t, fs, Options{Durability: Interval, SnapshotBytes: 1 << 20})
	errs := crowd(callers, func(i int) (err error) {
		for key := i; err == nil && key < keys; key += callers {
			err = setX(e, fmt.Sprintf("key:%06d", key), float64(key))
		}
		return err
	})
	require.NoError(t, errors.Join(errs...))
	st, err := e.Stats()
	require.NoError(t, err)
	require.Equal(t, keys, st.Sets)
	require.Less(t, st.Log, int64(64<<20))
	require.NoError(t, e.Snapshot())
	st, err = e.Stats()
	require.NoError(t, err)
	require.Less(t, st.Log, int64(1<<20))
	require.NoError(t, e.Close())
	e = mustOpen(t, fs, Options{})
	st, err = e.Stats()
	require.NoError(t, err)
	require.Equal(t, keys, st.Sets)
	require.NoError(t, e.Close())
}
