package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/memfs"
	"github.com/zrankdb/zrank/internal/powercut"
	"github.com/zrankdb/zrank/persist"
)

// counting returns the spec of a board on which each submission of 1 adds 1: a score is the number of accepted submissions.
func counting(name string, windows ...board.Window) board.Spec {
	return board.Spec{Name: name, Op: board.Sum, Windows: windows}
}

// acknowledged counts the acknowledged submissions by period and member.
type acknowledged struct{ counts sync.Map }

func (a *acknowledged) add(m board.Move, member string) {
	n, _ := a.counts.LoadOrStore(m.Window+" "+m.Period+" "+member, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
}

// require checks that the scores of a ranking are the numbers of acknowledged submissions.
func (a *acknowledged) require(t *testing.T, r board.Ranking) {
	t.Helper()
	rows, err := r.Top(t.Context(), 1<<20)
	require.NoError(t, err)
	got, want := map[string]int64{}, map[string]int64{}
	for _, row := range rows {
		got[row.Member] = row.Score.Int(0)
	}
	prefix := infoOf(r).Window + " " + infoOf(r).Period + " "
	for key, n := range a.counts.Range {
		if member, ok := strings.CutPrefix(key.(string), prefix); ok {
			want[member] = n.(*atomic.Int64).Load()
		}
	}
	require.Equal(t, want, got, prefix)
}

// closingRace is a board of two windows into which several goroutines submit while periods are closed.
type closingRace struct {
	*game
	b              board.Board
	acks           acknowledged
	taken, refused atomic.Int64      // submissions
	closed         map[string]string // the rankings of closed periods, by window and period
}

// submits makes n submissions, three of four without a time and one late.
func (r *closingRace) submits(who, n int) {
	for i := range n {
		sub := board.Submission{Member: fmt.Sprint("m", who, i%3), Score: board.Ints(1)}
		if i%4 == 0 {
			sub.At = r.clock.Now().Add(-time.Duration(i%40) * time.Minute)
		}
		c, err := r.b.Submit(context.Background(), sub)
		if errors.Is(err, board.ErrPeriodClosed) {
			r.refused.Add(1)
			continue
		}
		if err != nil {
			r.t.Error(err)
			return
		}
		r.taken.Add(1)
		r.acks.add(c.Move, sub.Member)
		r.acks.add(c.Others[0], sub.Member)
	}
}

// round closes periods by time or by hand while other goroutines submit, and compares closed periods with their rankings at earlier rounds.
func (r *closingRace) round(i, submissions int) {
	var wg sync.WaitGroup
	for who := range 4 {
		wg.Go(func() { r.submits(who, submissions) })
	}
	if r.jump(20 * time.Minute); i%3 == 0 {
		_, err := r.b.CloseNow(context.Background(), []string{"hour", "every"}[i%2])
		require.NoError(r.t, err)
		r.jump(time.Hour)
	}
	_, err := r.bs.CloseDue(context.Background())
	require.NoError(r.t, err)
	for _, u := range r.usage() {
		key := u.Window + " " + u.Period
		if now := r.period(r.b, u.Window, u.Period); !u.Closed {
			require.NotContains(r.t, r.closed, key)
		} else if before, ok := r.closed[key]; ok {
			require.Equal(r.t, before, now)
		} else {
			r.closed[key] = now
		}
	}
	wg.Wait()
}

func (r *closingRace) usage() []board.Usage {
	all, err := usageOf(r.b)
	require.NoError(r.t, err)
	return all
}

// TestB5Race: submissions from several goroutines race with the end of periods, by time and by hand. A closed ranking has all acknowledged
// submissions, and never changes.
func TestB5Race(t *testing.T) {
	for _, durable := range []bool{false, true} {
		r := closingRace{game: newGame(t, durable), closed: map[string]string{}}
		r.b = r.define(counting("arena", board.Window{Kind: window.Hour},
			board.Window{Kind: window.Every, Every: window.Duration(20 * time.Minute), Grace: window.Duration(time.Hour)}))
		for i := range howMany(60) {
			r.round(i, 200)
		}
		for _, u := range r.usage() {
			ranking, err := r.b.Period(t.Context(), u.Window, u.Period)
			require.NoError(t, err)
			r.acks.require(t, ranking)
		}
		t.Logf("durable=%v: %d submissions taken and %d refused while %d periods were closed", durable, r.taken.Load(), r.refused.Load(), len(r.closed))
	}
}

// TestB5NowIsNeverLate: a submission without a time is always accepted: if its period ends during the call, it belongs to the next one.
func TestB5NowIsNeverLate(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Window{Kind: window.Hour}))
	var wg sync.WaitGroup
	var stop atomic.Bool
	var taken atomic.Int64
	for who := range 4 {
		wg.Go(func() {
			for !stop.Load() {
				if _, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", who), Score: board.Ints(1)}); err != nil {
					t.Error(err)
					return
				}
				taken.Add(1)
			}
		})
	}
	for i := range int64(howMany(1000)) {
		for taken.Load() < i && !t.Failed() {
			runtime.Gosched()
		}
		g.jump(time.Hour)
		_, err := g.bs.CloseDue(t.Context())
		require.NoError(t, err)
	}
	stop.Store(true)
	wg.Wait()
	t.Logf("%d submissions while %d periods ended", taken.Load(), howMany(1000))
}

// TestB5ClockBack: a closed period stays closed when the clock steps back, and after every kind of restart.
func TestB5ClockBack(t *testing.T) {
	g := newGame(t, true)
	b := g.define(counting("arena", board.Day, board.All))
	g.score(b, "ada", 3)
	g.jump(24 * time.Hour)
	g.closeDue(1)
	g.jump(-25 * time.Hour)
	for _, restart := range []func(){func() {}, g.reopenBoards, g.reopen, func() { g.powerCut(0, 1) }} {
		restart()
		b = g.board("arena")
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		shut := new(board.PeriodClosedError)
		require.ErrorAs(t, err, &shut)
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		require.Equal(t, board.PeriodClosedError{Board: "arena", Window: "day", Period: "2026-11-20", At: g.clock.Now(), Live: ""}, *shut)
		require.EqualError(t, err, `board: period is closed: 2026-11-20 of "arena", window day, for a result of 2026-11-20T11:00:00Z; none is live`)
		require.ErrorIs(t, b.SetMeta(t.Context(), "day", "ada", nil), board.ErrPeriodClosed)
		removed, err := b.Remove(t.Context(), "bob")
		require.NoError(t, err)
		require.Empty(t, removed)
		require.Equal(t, "ada 3", g.live(b, "day"))
		require.Equal(t, "ada 3", g.live(b, "all"), "nothing enters any window")
		g.closeDue(0)
	}
	removed, err := b.Remove(t.Context(), "ada")
	require.NoError(t, err)
	require.Len(t, removed, 1)
	require.Equal(t, "ada 3", g.live(b, "day"), "Remove leaves a closed period as it is")
}

// TestB5TimeIsUp: a period accepts nothing from the moment its time is up, whether it is closed by then or not.
func TestB5TimeIsUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, false)
		b := g.define(counting("arena", board.Day))
		g.score(b, "ada", 3)
		g.to("2026-11-20 23:59:59")
		g.jump(time.Second - time.Nanosecond)
		g.score(b, "ada", 1)
		g.jump(time.Nanosecond)
		_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-1)})
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		require.ErrorContains(t, err, "2026-11-21 is live")
		c := g.score(b, "ada", 7)
		require.Equal(t, "2026-11-21", c.Period)
		g.closeDue(1)
		require.Equal(t, "ada 4", g.period(b, "day", "2026-11-20"))
	})
}

// failing makes every operation fail that changes the disk, once on is set.
type failing struct{ on atomic.Bool }

func (f *failing) String() string { return "failing" }

func (f *failing) MaybeError(op errorfs.Op) error {
	if !powercut.Changes(op) || !f.on.Load() {
		return nil
	}
	return &os.PathError{Op: "injected", Path: op.Path, Err: syscall.EIO}
}

// TestB5ClosingFails: a period whose closing commit fails is not closed. It accepts results again if its time is not up.
func TestB5ClosingFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true, func(g *game) { g.mem = diskOf(1000) })
		b := g.define(counting("arena", board.Day, board.Hour))
		g.score(b, "ada", 3)
		free(g, 10)
		_, err := b.CloseNow(t.Context(), "day")
		require.ErrorIs(t, err, engine.ErrDiskFull)
		r, err := b.Live(t.Context(), "day")
		require.NoError(t, err)
		require.False(t, infoOf(r).Closed)
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		require.ErrorIs(t, err, engine.ErrDiskFull)
		g.jump(time.Hour)
		_, err = g.bs.CloseDue(t.Context())
		require.ErrorIs(t, err, engine.ErrDiskFull)
		require.ErrorContains(t, err, `closing 2026-11-20T12 of "arena", window hour`)
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-time.Hour)})
		require.ErrorIs(t, err, board.ErrPeriodClosed, "its time is up")
		g.jump(-time.Hour)
		free(g, 1000)
		g.score(b, "ada", 1)
		require.Equal(t, "ada 4", g.live(b, "day"))
		g.jump(time.Hour)
		g.closeDue(1)
		require.Equal(t, "ada 4", g.period(b, "hour", "2026-11-20T12"))
		_, err = b.CloseNow(t.Context(), "day")
		require.NoError(t, err)
	})
}

// diskOf returns a disk with mb MiB of free space.
func diskOf(mb uint64) *memfs.FS {
	mem := memfs.NewCrashable()
	mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
	return mem
}

// free sets the free space of the disk in MiB, and waits until the engine has noticed. It runs in a synctest bubble.
func free(g *game, mb uint64) {
	g.mem.TestingSetDiskUsage(vfs.DiskUsage{AvailBytes: mb << 20, TotalBytes: 1 << 40})
	time.Sleep(1100 * time.Millisecond)
	synctest.Wait()
}

// TestB5DiskFails: after the first failed write no period is closed, and reads still work. After a restart the period can be closed, and its
// ranking is unchanged.
func TestB5DiskFails(t *testing.T) {
	for _, byHand := range []bool{false, true} {
		f := &failing{}
		g := newGame(t, true, func(g *game) { g.wrap = func(mem *memfs.FS) persist.FS { return errorfs.Wrap(mem, f) } })
		b := g.define(counting("arena", board.Day))
		g.score(b, "ada", 3)
		f.on.Store(true)
		var err error
		if byHand {
			_, err = b.CloseNow(t.Context(), "day")
		} else {
			g.jump(24 * time.Hour)
			_, err = g.bs.CloseDue(t.Context())
		}
		require.ErrorIs(t, err, engine.ErrPersistence)
		require.Equal(t, "ada 3", g.period(b, "day", "2026-11-20"))
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now()})
		require.Error(t, err)
		g.wrap = nil
		g.jump(-time.Hour)
		g.powerCut(0, 1)
		g.jump(24 * time.Hour)
		_, err = g.bs.CloseDue(t.Context())
		require.NoError(t, err)
		require.Equal(t, "ada 3", g.period(g.board("arena"), "day", "2026-11-20"))
	}
}

// TestB5Stalled: a period is closed if its commit returns ErrStalled and is visible to readers.
func TestB5Stalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &slowDisk{}
		g := newGame(t, true, withSlowDisk(disk))
		b := g.define(counting("arena", board.Day))
		g.score(b, "ada", 3)
		disk.delay.Store(int64(time.Minute))
		_, err := b.CloseNow(t.Context(), "day")
		require.ErrorIs(t, err, engine.ErrStalled)
		disk.delay.Store(0)
		time.Sleep(2 * time.Minute)
		_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
		require.ErrorIs(t, err, board.ErrPeriodClosed)
		r, err := b.LastClosed(t.Context(), "day")
		require.Equal(t, "ada 3", g.show(r, err))
		g.powerCut(0, 1)
		r, err = g.board("arena").LastClosed(t.Context(), "day")
		require.Equal(t, "ada 3", g.show(r, err))
		require.True(t, infoOf(r).Closed)
	})
}

// slowDisk makes each sync of the log take delay, in nanoseconds, after skip more syncs.
type slowDisk struct{ delay, skip atomic.Int64 }

// withSlowDisk returns the option of a game with such a disk.
func withSlowDisk(s *slowDisk) func(*game) {
	return func(g *game) {
		g.wrap = func(mem *memfs.FS) persist.FS { return errorfs.Wrap(mem, s) }
	}
}

func (s *slowDisk) String() string { return "sluggish" }

func (s *slowDisk) MaybeError(op errorfs.Op) error {
	if s.delay.Load() > 0 && op.Kind == errorfs.OpFileSyncData && strings.HasSuffix(op.Path, ".log") && s.skip.Add(-1) < 0 {
		time.Sleep(time.Duration(s.delay.Load()))
	}
	return nil
}
