package local

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zset"
)

// pausedSubmit is a submission in another goroutine that has passed its first check, and has not yet noted its period as open.
type pausedSubmit struct {
	paused chan bool
	done   chan error
}

// startPaused starts a submission, and returns when it is paused.
func startPaused(b board.Board, sub board.Submission) pausedSubmit {
	p, first := pausedSubmit{make(chan bool), make(chan error, 1)}, true
	go func() {
		_, err := b.SubmitFunc(context.Background(), sub, func(board.Row, bool) (board.Score, bool) {
			if first {
				first = false
				p.paused <- true
				<-p.paused
			}
			return board.Ints(1), true
		})
		p.done <- err
	}()
	<-p.paused
	return p
}

// resume continues the submission, and returns its error.
func (p pausedSubmit) resume() error {
	p.paused <- true
	return <-p.done
}

// resumeWhenFrozen runs do, resumes the submission when do has frozen the board, and returns the submission's error.
func (p pausedSubmit) resumeWhenFrozen(t *testing.T, b board.Board, do func() error) error {
	t.Helper()
	done := make(chan error)
	go func() { done <- do() }()
	for !coreOf(b).IsFrozen() {
		runtime.Gosched()
	}
	err := p.resume()
	require.NoError(t, <-done)
	return err
}

// TestMigratedInBetween: a submission into a new period during a migration is not lost in the old version.
func TestMigratedInBetween(t *testing.T) {
	g := newGame(t, false)
	spec := counting("arena", board.Day)
	b := g.define(spec)
	spec.MaxMeta = 1
	require.NoError(t, startPaused(b, board.Submission{Member: "ada"}).resumeWhenFrozen(t, b, func() error {
		_, err := g.bs.Migrate(t.Context(), spec)
		return err
	}))
	require.Equal(t, "ada 1", g.live(b, "day"))
	require.Equal(t, []string{"board/arena/day/2026-11-20/v2"}, g.sets())
}

// TestClosedInBetween: no submission is committed after Boards.Close, or after Drop.
func TestClosedInBetween(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Day))
	err := startPaused(b, board.Submission{Member: "ada"}).resumeWhenFrozen(t, b, func() error { return g.bs.Drop(t.Context(), "arena") })
	require.ErrorIs(t, err, board.ErrNoBoard)
	p := startPaused(g.define(counting("arena", board.Day)), board.Submission{Member: "ada"})
	require.NoError(t, g.bs.Close())
	require.ErrorIs(t, p.resume(), board.ErrClosed)
	require.Empty(t, g.sets())
}

// TestRemoveInBetween: Remove removes a member also from a period in which the member scores while Remove waits for a lock.
func TestRemoveInBetween(t *testing.T) {
	g := newGame(t, false)
	b := g.define(counting("arena", board.Window{Kind: window.Day, Grace: window.Duration(48 * time.Hour)}))
	c := g.score(b, "ada", 1)
	held, removed := make(chan bool), make(chan []board.Removed)
	go func() {
		_ = g.e.Update(t.Context(), func(*engine.Tx) error { held <- true; <-held; return nil }, coreOf(b).State().Timelines[0].Key(c.Period))
	}()
	<-held
	go func() {
		all, _ := b.Remove(t.Context(), "ada")
		removed <- all
	}()
	for range 10_000 {
		runtime.Gosched() // until Remove waits for the lock that the transaction holds
	}
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-24 * time.Hour)})
	require.NoError(t, err)
	held <- true
	require.Len(t, <-removed, 2)
	require.Empty(t, g.sets())
}

// TestMigrateChurned: a member that reaches a score after a migration counts as later than one that reached it in the same microsecond before
// the migration, however often that one's entry had changed.
func TestMigrateChurned(t *testing.T) {
	for _, ties := range []board.Ties{board.FirstToReach, board.LastToReach} {
		g := newGame(t, true)
		spec := counting("arena", board.Day)
		spec.Ties = ties
		b := g.define(spec)
		for range 50 {
			g.score(b, "zoe", 1)
		}
		spec.MaxMeta = 1
		g.migrate(spec)
		g.reopen()
		b = g.board("arena")
		g.score(b, "ada", 50)
		want := "zoe 50, ada 50"
		if ties == board.LastToReach {
			want = "ada 50, zoe 50"
		}
		require.Equal(t, want, g.live(b, "day"))
	}
}

// TestRankingsOfBefore: rankings from before a migration return ErrMigrating, and do not read deleted sets.
func TestRankingsOfBefore(t *testing.T) {
	g := newGame(t, false)
	spec := counting("arena", board.Day)
	b := g.define(spec)
	g.score(b, "ada", 1)
	require.NoError(t, b.SaveBaseline(t.Context(), "day", "x"))
	live, err := b.Live(t.Context(), "day")
	require.NoError(t, err)
	base, err := b.Baseline(t.Context(), "day", "x")
	require.NoError(t, err)
	spec.MaxMeta = 1
	g.migrate(spec)
	for _, r := range []board.Ranking{live, base} {
		_, err = r.Top(t.Context(), 1)
		require.ErrorIs(t, err, board.ErrMigrating)
		_, err = r.Pin(t.Context())
		require.ErrorIs(t, err, board.ErrMigrating)
	}
	require.Equal(t, "ada 1", g.live(b, "day"))
	require.Equal(t, "ada 1", g.show(b.Baseline(t.Context(), "day", "x")))
}

// TestStaleVersions: Open deletes the sets that a crash has left of other versions and of dropped windows. Best ranks and Once keys, which keep
// their keys through migrations, stay.
func TestStaleVersions(t *testing.T) {
	g := newGame(t, true)
	spec := board.Spec{Name: "arena", Op: board.Sum, BestRanks: true, Windows: []board.Window{board.Day, board.All}}
	b := g.define(spec)
	spec.MaxMeta = 1
	g.migrate(spec)
	_, err := b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), Once: "x"})
	require.NoError(t, err)
	require.NoError(t, b.SaveBaseline(t.Context(), "day", "x"))
	want := g.sets()
	require.Len(t, want, 6)
	for _, key := range []string{"day/2026-11-20/v1", "day/2026-11-20/v3", ".base.day/x/v1", ".base.day/x/v3", "week/2026-W47/v2", "all/all/v1"} {
		build, err := zset.NewIntBuilder(zset.Options{})
		require.NoError(t, err)
		require.NoError(t, build.AddTied([]byte("bob"), nil, 1))
		require.NoError(t, g.bs.catalog.Owner.StoreInts(t.Context(), "board/arena/"+key, build.Set()))
	}
	g.reopen()
	require.Equal(t, want, g.sets())
}

// TestFailsOnce: if a full disk keeps several periods of a window from being closed, the error names the first, and no later one is closed.
func TestFailsOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true, func(g *game) { g.mem = diskOf(1000) })
		b := g.define(counting("arena", board.Window{Kind: window.Hour, Grace: window.Duration(10 * time.Hour)}))
		for range 5 {
			g.score(b, "ada", 1)
			g.jump(time.Hour)
		}
		free(g, 10)
		g.jump(24 * time.Hour)
		n, err := g.bs.CloseDue(t.Context())
		require.Zero(t, n)
		require.ErrorIs(t, err, engine.ErrDiskFull)
		require.ErrorContains(t, err, "2026-11-20T12")
		require.NotContains(t, err.Error(), "2026-11-20T13")
		free(g, 1000)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		g.closeDue(0)
		lines := g.logged.take()
		for i, line := range lines[len(lines)-5:] {
			require.Equal(t, fmt.Sprintf("period closed arena hour 2026-11-20T%d 1", 12+i), line)
		}
	})
}
