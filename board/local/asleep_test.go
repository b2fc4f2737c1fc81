package local

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/catalog"
	"github.com/zrankdb/zrank/board/internal/closing"
	"github.com/zrankdb/zrank/board/window"
	"github.com/zrankdb/zrank/engine"
)

// overdue are the log lines of the periods that fillOverdue leaves to be closed, in the order of time, except two of the window late. The
// comments say when a period's time is up, in UTC.
var overdue = []string{
	"period closed quiz day 2026-11-19 1",  // Nov 19, 16:00: midnight in Shanghai
	"period closed arena day 2026-11-19 1", // Nov 20
	"period closed quiz day 2026-11-20 1",  // Nov 20, 16:00
	"period closed arena day 2026-11-20 1", // Nov 21
	"period closed quiz day 2026-11-21 1",  // Nov 21, 16:00
	"period closed arena day 2026-11-21 1", // Nov 22
	"period closed quiz week 2026-W47 2",   // Nov 22, 16:00
	"period closed arena week 2026-W47 1",  // Nov 23
	"period closed quiz late 2026-11-20 1", // Nov 23, 12:00: Nov 21 and a grace of 60 hours
	"period closed arena month 2026-11 1",  // Dec 1
}

// fillOverdue fills periods of two boards, one in another zone, without closing any, and moves the clock to a time when all are due.
func fillOverdue(g *game) {
	shanghai := "Asia/Shanghai"
	arena := g.define(counting("arena", board.Week, board.Day, board.All, board.Month))
	quiz := g.define(counting("quiz", board.Window{Kind: window.Week, TimeZone: shanghai}, board.Window{Kind: window.Day, TimeZone: shanghai},
		board.Window{Name: "late", Kind: window.Day, Grace: window.Duration(60 * time.Hour)}))
	g.to("2026-11-19 12:00:00")
	g.score(arena, "ada", 1)
	g.score(quiz, "ada", 1)
	for _, at := range []string{"2026-11-20 12:00:00", "2026-11-21 12:00:00"} {
		g.to(at)
		g.score(arena, "ada", 1)
		g.score(quiz, "bob", 1)
	}
	g.to("2026-12-01 00:00:00")
}

// TestB6Asleep: Open closes the periods that ended while the process was down, in the order of time, each once.
func TestB6Asleep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, restart := range []func(*game){(*game).reopen, (*game).reopenBoards, func(g *game) { g.powerCut(0, 1) }} {
			g := newGame(t, true)
			fillOverdue(g)
			g.logged.take()
			restart(g)
			got := g.logged.take()
			require.ElementsMatch(t, append([]string{"period closed quiz late 2026-11-19 1", "period closed quiz late 2026-11-21 1"}, overdue...), got)
			pairs := 0
			for i, line := range got {
				if i > 0 {
					require.LessOrEqual(t, dueTime(t, g, got[i-1]), dueTime(t, g, line), "%s before %s", got[i-1], line)
					pairs++
				}
			}
			g.closeDue(0)
			restart(g)
			require.Empty(t, g.logged.take(), "each once")
			t.Logf("%d periods in order", pairs+1)
			require.NoError(t, g.bs.Close())
			require.NoError(t, g.e.Close())
		}
	})
}

// dueTime returns when the time of the period in a log line was up, in microseconds after 1970.
func dueTime(t *testing.T, g *game, line string) int64 {
	t.Helper()
	words := strings.Fields(line)
	s, err := coreOf(g.board(words[2])).State().Timeline(words[3])
	require.NoError(t, err)
	p, err := s.Cal.Parse(words[4])
	require.NoError(t, err)
	return s.SlotOf(p).Closes
}

// TestB6CrashInTheMiddle cuts the power before every write of an Open that closes many periods: the next Open closes the rest.
func TestB6CrashInTheMiddle(t *testing.T) {
	c := &crasher{}
	g := newGame(t, true, crashing(c))
	fillOverdue(g)
	require.NoError(t, g.bs.Close())
	require.NoError(t, g.e.Close())
	c.take()
	g.open()
	want, err := dump(g.bs)
	require.NoError(t, err)
	disks, closed := c.take(), map[int]bool{}
	for _, d := range disks {
		logged := &logRecorder{}
		e, err := engine.Open("db", engine.Options{FS: d.disk, Clock: g.clock.Now})
		require.NoError(t, err, d.point)
		bs, err := Open(e, Options{Logger: slog.New(logged)})
		require.NoError(t, err, d.point)
		got, err := dump(bs)
		require.NoError(t, err)
		require.Equal(t, want, got, d.point)
		closed[len(logged.take())] = true
		require.NoError(t, bs.Close())
		require.NoError(t, e.Close())
	}
	require.Greater(t, len(closed), 5, "the power was cut between closings too")
	t.Logf("%d crash points, with %d different numbers of periods left to close", len(disks), len(closed))
}

// TestSchedulerCloses: the goroutine closes periods when their time is up, to the millisecond, notices when the clock jumps, and goes on
// after an error.
func TestSchedulerCloses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		logged := &logRecorder{}
		e, err := engine.New(engine.Options{}) // the bubble's own clock: it begins at midnight, 2000-01-01
		require.NoError(t, err)
		bs, err := Open(e, Options{Logger: slog.New(logged)})
		require.NoError(t, err)
		b, err := bs.Define(t.Context(), counting("arena", board.Window{Kind: window.Every, Every: window.Duration(90 * time.Second), Anchor: time.Unix(946684800, 0)}))
		require.NoError(t, err)
		for i := range 5 {
			_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint(i), Score: board.Ints(1)})
			require.NoError(t, err)
			time.Sleep(90*time.Second - time.Millisecond)
			synctest.Wait()
			require.Empty(t, logged.take())
			time.Sleep(time.Millisecond)
			synctest.Wait()
			require.Len(t, logged.take(), 1)
		}
		require.NoError(t, bs.Close())
		require.NoError(t, bs.Close())
		_, err = bs.CloseDue(t.Context())
		require.ErrorIs(t, err, board.ErrClosed)
		require.NoError(t, e.Close())
	})
}

func TestSchedulerFollowsTheClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true, func(g *game) { g.mem = diskOf(1000) })
		b := g.define(counting("arena", board.Day))
		g.score(b, "ada", 1)
		g.jump(24 * time.Hour)
		time.Sleep(closing.MaxSleep)
		synctest.Wait()
		require.Equal(t, []string{"period closed arena day 2026-11-20 1"}, g.logged.take())
		g.score(b, "ada", 1)
		free(g, 10)
		g.jump(24 * time.Hour)
		time.Sleep(10 * closing.MaxSleep)
		synctest.Wait()
		lines := g.logged.take()
		require.Contains(t, lines[0], "periods cannot be closed")
		require.InDelta(t, 10, len(lines), 2, "once a maxSleep")
		free(g, 1000)
		time.Sleep(2 * closing.MaxSleep)
		synctest.Wait()
		lines = g.logged.take()
		require.Equal(t, "period closed arena day 2026-11-21 1", lines[len(lines)-1])
	})
}

// TestOpenOnFullDisk: boards open and can be read when the disk is too full to close periods; these periods accept nothing.
func TestOpenOnFullDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGame(t, true, func(g *game) { g.mem = diskOf(1000) })
		g.score(g.define(counting("arena", board.Day)), "ada", 1)
		free(g, 10)
		g.jump(24 * time.Hour)
		g.reopen()
		require.Contains(t, g.logged.take()[0], "periods cannot be closed")
		require.Equal(t, "ada 1", g.period(g.board("arena"), "day", "2026-11-20"))
		_, err := g.board("arena").Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: g.clock.Now().Add(-13 * time.Hour)})
		require.ErrorIs(t, err, board.ErrPeriodClosed)
	})
}

// TestEngineClosedFirst: closing an engine closes its boards and stops their goroutine.
func TestEngineClosedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 3 {
			g := newGame(t, true)
			b := g.define(counting("arena", board.Day))
			_, err := Open(g.e, Options{})
			require.ErrorIs(t, err, board.ErrOpen)
			require.NoError(t, g.e.Close())
			synctest.Wait()
			_, is := catalog.Opened.Load(g.e)
			require.False(t, is, "opened leaks")
			_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1)})
			require.Error(t, err)
			require.NoError(t, g.bs.Close())
			_, err = Open(g.e, Options{})
			require.ErrorIs(t, err, engine.ErrClosed)
			_, is = catalog.Opened.Load(g.e)
			require.False(t, is, "opened leaks")
		}
	})
}
