package local

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/persist"
)

// TestKeysOfLongAgo: a transaction that named the keys of any earlier version locks those of the present one.
func TestKeysOfLongAgo(t *testing.T) {
	g := newGame(t, false)
	spec := counting("arena", board.Day)
	b := g.define(spec)
	sub := board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()}
	keys, err := hintsOf(b).Submit(t.Context(), nil, sub)
	require.NoError(t, err)
	for i := range 3 {
		spec.MaxMeta = i + 1
		g.migrate(spec)
		err = g.e.Update(t.Context(), func(tx *engine.Tx) error {
			_, err := in(b, tx).Submit(sub)
			return err
		}, keys...)
		require.NoError(t, err)
	}
}

// TestDropsAllMetadata: dropping a period deletes its metadata in several transactions.
func TestDropsAllMetadata(t *testing.T) {
	g := newGame(t, false)
	b := g.define(keeping(1))
	subs := make([]board.Submission, 2*catalog.DeleteStep+1)
	for i := range subs {
		subs[i] = board.Submission{Member: fmt.Sprint(i), Score: board.Ints(1), Meta: []byte("M")}
	}
	_, err := b.SubmitAll(t.Context(), subs)
	require.NoError(t, err)
	for range 2 {
		g.jump(24 * time.Hour)
		g.score(b, "ada", 1)
	}
	_, err = b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	require.Empty(t, g.privates("board.meta"))
}

// TestNotedTooLate: a late submission passes its first check, and then a closing of a later period also closes its period, which has no
// members. The submission notes its period as open during the closing. It must be refused, and the period must not stay open.
func TestNotedTooLate(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Window{Kind: window.Day, Grace: window.Duration(48 * time.Hour)}))
	change := g.score(b, "ada", 1)
	timeline := coreOf(b).State().Timelines[0]
	paused, release, held := make(chan bool), make(chan bool), make(chan bool)
	submitted, closed := make(chan error), make(chan error)
	go func() {
		_, err := b.SubmitFunc(t.Context(), board.Submission{Member: "bob", At: g.clock.Now().Add(-24 * time.Hour)}, func(board.Row, bool) (board.Score, bool) {
			paused <- true
			<-paused
			return board.Ints(1), true
		})
		submitted <- err
	}()
	go func() { // holds the lock of the live day's set until release
		_ = g.e.Update(t.Context(), func(*engine.Tx) error { held <- true; <-release; return nil }, timeline.Key(change.Period))
	}()
	<-paused
	<-held
	go func() {
		_, err := b.CloseNow(t.Context(), "day")
		closed <- err
	}()
	for timeline.ClosingThrough.Load() == math.MinInt64 {
		runtime.Gosched()
	}
	for range 1000 {
		runtime.Gosched() // until the closing waits for the lock that the transaction holds
	}
	paused <- true // the submission continues
	require.ErrorIs(t, <-submitted, board.ErrPeriodClosed)
	release <- true
	require.NoError(t, <-closed)
	require.Empty(t, timeline.OpenSlots())
	g.jump(72 * time.Hour)
	g.closeDue(0)
	require.Equal(t, int64(math.MaxInt64), closing.NextDue(g.bs.catalog))
}

// TestCloseWaitsForClosing: Boards.Close waits for a closing in progress, so that boards that are opened afterwards know that the period is
// closed.
func TestCloseWaitsForClosing(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Day))
	g.score(b, "ada", 1)
	in, out, closed := make(chan bool), make(chan bool), make(chan error)
	g.logged.beforeRecord = func() { in <- true; <-out }
	go func() {
		_, err := b.CloseNow(t.Context(), "day")
		closed <- err
	}()
	<-in // the closing is committed and not complete
	boardsClosed := make(chan error)
	go func() { boardsClosed <- g.bs.Close() }()
	for !g.bs.catalog.IsStopped() {
		runtime.Gosched()
	}
	for range 10_000 {
		runtime.Gosched()
	}
	select {
	case <-boardsClosed:
		t.Fatal("closed while a period was being closed")
	default:
	}
	out <- true
	require.NoError(t, <-closed)
	require.NoError(t, <-boardsClosed)
}

// filling fills the disk during one sync of the log, which takes two seconds.
type filling struct {
	mem  *memfs.FS
	left atomic.Int64 // the number of syncs up to this one; 0: never
}

func (f *filling) String() string { return "filling" }

func (f *filling) MaybeError(op errorfs.Op) error {
	if op.Kind == errorfs.OpFileSyncData && strings.HasSuffix(op.Path, ".log") && f.left.Load() > 0 && f.left.Add(-1) == 0 {
		f.mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: 10 << 20, TotalBytes: 1 << 40})
		time.Sleep(2 * time.Second)
	}
	return nil
}

// TestDroppedAtLast: a full disk interrupts the deletion of a period that is not kept any more. The scheduler completes the deletion once there
// is free space, without a restart.
func TestDroppedAtLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &filling{mem: diskOf(1000)}
		g := newGame(t, true, func(g *game) {
			g.alone = true // commits of the index would need syncs too
			g.mem, g.wrap = f.mem, func(mem *memfs.FS) persist.FS { return errorfs.Wrap(mem, f) }
		})
		b := g.define(keeping(1))
		play(g, b, 1)
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), Meta: []byte("M")})
		require.NoError(t, err)
		g.jump(24 * time.Hour)
		f.left.Store(2) // the first sync is that of the closing, the second that of the drop
		time.Sleep(10 * time.Second)
		synctest.Wait()
		require.Contains(t, strings.Join(g.logged.take(), "\n"), engine.ErrDiskFull.Error())
		require.Len(t, g.sets(), 2, "a closed period, and one that is not deleted yet")
		free(g, 1000)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		require.Equal(t, []string{"board/arena/day/2026-11-21/v1"}, g.sets())
		require.Len(t, g.privates("board."), 4, "a spec, the end of the last closed period, a record and an entry's metadata")
	})
}

// TestNearOverflow: with Near up to the largest int, a Change has all rows.
func TestNearOverflow(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena"))
	for i := range 9 {
		g.score(b, fmt.Sprint("m", i), int64(i))
	}
	for _, near := range []int{9, 1 << 30, math.MaxInt / 2, math.MaxInt/2 + 1, math.MaxInt} {
		c, err := b.Submit(t.Context(), board.Submission{Member: "m4", Score: board.Ints(0), Near: near})
		require.NoError(t, err)
		require.Len(t, c.Near, 9, near)
	}
}
