package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
	"github.com/zrankdb/zrank/internal/memfs"
)

// slow makes each sync of the log take delay, and each operation on a table take tables, in nanoseconds.
type slow struct{ delay, tables atomic.Int64 }

func (s *slow) String() string { return "slow" }

func (s *slow) MaybeError(op errorfs.Op) error {
	if op.Kind == errorfs.OpFileSyncData && strings.HasSuffix(op.Path, ".log") {
		time.Sleep(time.Duration(s.delay.Load()))
	}
	if strings.HasSuffix(op.Path, ".sst") && op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
		time.Sleep(time.Duration(s.tables.Load()))
	}
	return nil
}

// setX gives the one member of a set a score.
func setX(e *Engine, key string, score float64) error {
	return e.Update(context.Background(), func(tx *Tx) error {
		s, err := tx.Set(key)
		if err != nil {
			return err
		}
		_, err = s.Add([]byte("x"), score)
		return err
	}, key)
}

// TestRow27Engine: while the disk does not answer, Update is refused and rolled back, reads go on, and Close ends within closeLimit, even
// during a snapshot.
func TestRow27Engine(t *testing.T) {
	closeLimit := 5 * time.Second
	if invariants.Enabled { // persist gives such builds ten times as long to close
		closeLimit *= 10
	}
	for _, snapshot := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			mem, disk := memfs.NewCrashable(), &slow{}
			e := mustOpen(t, errorfs.Wrap(mem, disk), Options{})
			require.NoError(t, setX(e, "a", 1))
			disk.delay.Store(int64(time.Minute))
			require.ErrorIs(t, setX(e, "a", 2), ErrStalled, "undecided: it waited")
			state := stateText(t, e)
			require.Contains(t, state, `"x"=2`)
			require.ErrorIs(t, setX(e, "a", 3), ErrStalled, "refused")
			require.ErrorIs(t, setX(e, "b", 3), ErrStalled, "refused")
			require.Equal(t, state, stateText(t, e), "rolled back")
			require.ErrorIs(t, e.Barrier(t.Context()), ErrStalled)
			require.Equal(t, uint64(1), e.DurableSeq())
			if snapshot {
				go e.Snapshot()
				synctest.Wait()
			}
			start := time.Now()
			require.ErrorIs(t, e.Close(), ErrStalled)
			require.LessOrEqual(t, time.Since(start), closeLimit)
			time.Sleep(2 * time.Minute)
			e = mustOpen(t, mem, Options{})
			require.Contains(t, stateText(t, e), `"x"=2`)
			require.NoError(t, e.Close())
		})
	}
	matrix.Row(t, 27, "an engine on a silent disk: refused and rolled back, reads go on, closed in %v", closeLimit)
}

// setFree sets the free space of a disk, in MiB, and waits in a bubble until the store has noticed it.
func setFree(mem *memfs.FS, mb uint64) {
	mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
	time.Sleep(time.Second)
	synctest.Wait()
}

// refused returns why the engine refuses commits.
func refused(t *testing.T, e *Engine) error {
	st, err := e.Stats()
	require.NoError(t, err)
	return st.Refused
}

// TestDiskFull: below the reserve Update is refused and rolled back; it succeeds again when there is space.
func TestDiskFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		mem := memfs.NewCrashable()
		free := func(mb uint64) { setFree(mem, mb) }
		free(1000)
		var events []Event
		e := mustOpen(t, mem, Options{OnEvent: func(e Event) { events = append(events, e) }})
		require.NoError(t, setX(e, "a", 1))
		require.NoError(t, setX(e, "gone", 1))
		free(10)
		state := stateText(t, e)
		require.ErrorIs(t, setX(e, "a", 2), ErrDiskFull)
		require.ErrorIs(t, setX(e, "b", 2), ErrDiskFull)
		require.ErrorIs(t, refused(t, e), ErrDiskFull)
		require.Equal(t, state, stateText(t, e), "rolled back")
		require.NoError(t, setX(e, "a", 1), "nothing to write")
		remove := func(tx *Tx) error {
			_, err := named(t, tx, "gone").PopMin(1)
			return err
		}
		require.ErrorIs(t, e.Update(t.Context(), remove, "gone"), ErrDiskFull)
		free(63)
		require.NoError(t, e.Update(t.Context(), remove, "gone"), "what only removes")
		require.ErrorIs(t, setX(e, "a", 2), ErrDiskFull)
		require.NoError(t, e.Flush())
		free(1000)
		require.NoError(t, setX(e, "a", 2))
		require.NoError(t, refused(t, e))
		require.Equal(t, []Event{{Kind: EventDiskFull, Free: 10 << 20}, {Kind: EventDiskFull, Ended: true, Free: 1000 << 20}}, events)
		require.NoError(t, e.Close())
	})
}

// TestRow40Clock: the wall clock jumps between any two calls. The order of commits, their recovery, and the bound of level
// Interval, which goes by the monotonic clock, do not change.
func TestRow40Clock(t *testing.T) {
	const seed = 1
	t.Logf("seed %d", seed)
	jumps := matrix.Pick(500, 20000)
	synctest.Test(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(seed, 0))
		mem, wall := memfs.NewCrashable(), time.Now()
		clock := func() time.Time {
			wall = wall.Add(time.Duration(rng.Int64N(int64(200*24*time.Hour))) - 100*24*time.Hour)
			return wall
		}
		e := mustOpen(t, mem, Options{Durability: Interval, Clock: clock})
		for i := range jumps {
			e.Now()
			require.NoError(t, setX(e, "a", float64(i+1)))
			require.Equal(t, uint64(i+1), e.store.LastSeq())
			before := e.store.LastSeq()
			if i%25 == 0 {
				time.Sleep(101 * time.Millisecond)
				synctest.Wait()
				require.GreaterOrEqual(t, e.DurableSeq(), before, "the bound")
			}
			if i%100 == 99 {
				require.NoError(t, e.Close())
				e = mustOpen(t, mem, Options{Durability: Interval, Clock: clock})
				require.Contains(t, stateText(t, e), fmt.Sprintf(`"x"=%d/`, i+1))
			}
		}
		require.NoError(t, e.Close())
	})
	matrix.Row(t, 40, "%d jumps of the wall clock of up to 100 days either way: order, recovery and the bound are as without", jumps)
}
