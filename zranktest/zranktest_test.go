package zranktest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/awards"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/zranktest"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) // a Friday

// winner is the plan of a window whose first gets a point.
func winner(window string) []awards.Plan {
	return []awards.Plan{{Window: window, Tiers: []awards.Tier{{Name: "winner", From: 1, Payload: "1"}}}}
}

// submit submits a score of one column.
func submit(tb testing.TB, db *zrank.DB, of, member string, score int64) {
	tb.Helper()
	b, err := db.Board(tb.Context(), of)
	require.NoError(tb, err)
	_, err = b.Submit(tb.Context(), board.Submission{Member: member, Score: board.Ints(score)})
	require.NoError(tb, err)
}

// deliver sets what grants the awards of a window.
func deliver(tb testing.TB, db *zrank.DB, of, window string, grant func(tx *engine.Tx, a awards.Award) error) {
	tb.Helper()
	require.NoError(tb, db.Boards().Deliver(of, window, local.Delivery{Grant: func(_ context.Context, tx *engine.Tx, a awards.Award) error { return grant(tx, a) }}))
}

// TestInTurn: one Advance closes hour, day and week, each at its own end and grace, and delivers the awards of each before the next is closed.
func TestInTurn(t *testing.T) {
	t.Parallel()
	db, clock := zranktest.New(t, noon)
	late := board.Hour
	late.Grace = board.Rolling("", 90*time.Minute).Span
	_, err := db.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Week, board.Day, late, board.All},
		Awards: append(winner("day"), winner("hour")...)})
	require.NoError(t, err)
	var granted []string
	for _, window := range []string{"day", "hour"} {
		deliver(t, db, "arena", window, func(tx *engine.Tx, a awards.Award) error {
			require.Equal(t, clock.Now().UnixMicro(), tx.Now().UnixMicro())
			granted = append(granted, fmt.Sprint(a.Period, " ", a.Member, " at ", clock.Now().Format("Mon 15:04")))
			return nil
		})
	}
	submit(t, db, "arena", "ada", 1)
	clock.Advance(2*time.Hour + 30*time.Minute - time.Microsecond)
	require.Empty(t, granted, "an hour takes results until 13:00 and 90 minutes more")
	submit(t, db, "arena", "bea", 2)
	clock.Advance(7 * 24 * time.Hour)
	require.Equal(t, []string{"2026-11-20T12 ada at Fri 14:30", "2026-11-20T14 bea at Fri 16:30", "2026-11-20 bea at Sat 00:00"}, granted)
	require.Equal(t, noon.Add(7*24*time.Hour+2*time.Hour+30*time.Minute-time.Microsecond), clock.Now())

	arena, err := db.Board(t.Context(), "arena")
	require.NoError(t, err)
	for window, want := range map[string]string{"hour": "2026-11-20T16:30:00Z", "day": "2026-11-21T00:00:00Z", "week": "2026-11-23T00:00:00Z"} {
		closed, err := arena.LastClosed(t.Context(), window)
		require.NoError(t, err)
		info, err := closed.Info(t.Context())
		require.NoError(t, err)
		require.Equal(t, want, info.ClosedAt.UTC().Format(time.RFC3339), window)
	}
}

// TestChain: what is delivered when a day ends counts in the next day, which closes in the same Advance, and so on.
func TestChain(t *testing.T) {
	t.Parallel()
	db, clock := zranktest.New(t, noon)
	_, err := db.Define(t.Context(), board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.Day}, Awards: winner("day")})
	require.NoError(t, err)
	var days []string
	deliver(t, db, "arena", "day", func(tx *engine.Tx, a awards.Award) error {
		days = append(days, a.Period)
		arena, err := db.Boards().In(tx, "arena")
		if err != nil {
			return err
		}
		_, err = arena.Submit(board.Submission{Member: a.Member, Score: board.Ints(1)})
		return err
	})
	submit(t, db, "arena", "ada", 5)
	clock.Set(noon.AddDate(0, 0, 3))
	require.Equal(t, []string{"2026-11-20", "2026-11-21", "2026-11-22"}, days)
	clock.Set(noon)
	clock.Set(noon.AddDate(0, 0, 3))
	require.Len(t, days, 3, "a day that is closed stays closed when the clock goes back")
}

// TestFailedGrant: an award that fails is tried again at the times that package local names, and the test's log says why.
func TestFailedGrant(t *testing.T) {
	t.Parallel()
	tb := newTB()
	db, clock := zranktest.New(tb, noon)
	_, err := db.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}, Awards: winner("day")})
	require.NoError(t, err)
	var tries []string
	deliver(t, db, "arena", "day", func(tx *engine.Tx, a awards.Award) error {
		if at := clock.Now().Format("15:04:05"); len(tries) == 0 || tries[len(tries)-1] != at {
			tries = append(tries, at)
		}
		if len(tries) < 5 {
			return errors.New("the post office is closed")
		}
		return nil
	})
	submit(t, db, "arena", "ada", 1)
	clock.Advance(24 * time.Hour)
	require.Equal(t, []string{"00:00:00", "00:00:01", "00:00:03", "00:00:07", "00:00:15"}, tries)
	require.Equal(t, 4, strings.Count(tb.log.String(), "the post office is closed"), tb.log.String())
	require.Empty(t, tb.fatal)
	tb.end()
	require.Empty(t, tb.errors)
}

// TestDueNow: Advance of no time does what a call by hand has made due.
func TestDueNow(t *testing.T) {
	t.Parallel()
	db, clock := zranktest.New(t, noon)
	arena, err := db.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}, Awards: winner("day")})
	require.NoError(t, err)
	granted := 0
	deliver(t, db, "arena", "day", func(*engine.Tx, awards.Award) error { granted++; return nil })
	submit(t, db, "arena", "ada", 1)
	_, err = arena.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	require.Zero(t, granted)
	clock.Advance(0)
	require.Equal(t, 1, granted)
	require.Equal(t, noon, clock.Now())
}

// TestCoarse: the segments of the members behind the best are made anew, as a goroutine of the boards does in a program.
func TestCoarse(t *testing.T) {
	t.Parallel()
	db, clock := zranktest.New(t, noon)
	arena, err := db.Define(t.Context(), board.Spec{Name: "arena", Top: &board.Top{N: 2, Reserve: 1, Segments: 4}})
	require.NoError(t, err)
	for i := range 20 {
		submit(t, db, "arena", fmt.Sprintf("m%02d", i), int64(100-i))
	}
	clock.Advance(0)
	all, err := arena.Live(t.Context(), "all")
	require.NoError(t, err)
	row, _, err := all.Rank(t.Context(), "m15")
	require.NoError(t, err)
	require.LessOrEqual(t, row.Within, 2, "half of a segment")
}

// TestFails: an error of the work ends the test, and says at what time it was.
func TestFails(t *testing.T) {
	t.Parallel()
	tb := newTB()
	db, clock := zranktest.New(tb, noon)
	require.NoError(t, db.Update(t.Context(), func(*zrank.Tx) error { clock.Advance(time.Hour); return nil }))
	require.Contains(t, tb.fatal, engine.ErrInTx.Error())
	require.NoError(t, db.Close())
	clock.Advance(time.Hour)
	require.Contains(t, tb.fatal, "2026-11-20T14:00:00Z: "+board.ErrClosed.Error())
}

// TestGrantEndsTest: a test that ends inside of a Grant, as an assertion does that fails, can still close the database.
func TestGrantEndsTest(t *testing.T) {
	t.Parallel()
	db, clock := zranktest.New(t, noon)
	_, err := db.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}, Awards: winner("day")})
	require.NoError(t, err)
	deliver(t, db, "arena", "day", func(*engine.Tx, awards.Award) error { runtime.Goexit(); return nil })
	submit(t, db, "arena", "ada", 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		clock.Advance(24 * time.Hour)
	}()
	<-ended
	require.NoError(t, db.Close())
}

// TestParallel: databases of parallel tests have clocks of their own.
func TestParallel(t *testing.T) {
	for i := range 8 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			db, clock := zranktest.New(t, noon.AddDate(0, i, 0))
			arena, err := db.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}})
			require.NoError(t, err)
			for range 10 {
				submit(t, db, "arena", "ada", 1)
				day := clock.Now().Format(time.DateOnly)
				clock.Advance(24 * time.Hour)
				closed, err := arena.LastClosed(t.Context(), "day")
				require.NoError(t, err)
				info, err := closed.Info(t.Context())
				require.NoError(t, err)
				require.Equal(t, day, info.Period)
			}
		})
	}
}

// fakeTB records what the package does with a test. Examples, which have none, use it too.
type fakeTB struct {
	testing.TB
	log           bytes.Buffer
	fatal, errors string
	cleanups      []func()
}

func newTB() *fakeTB                        { return &fakeTB{} }
func (t *fakeTB) Helper()                   {}
func (t *fakeTB) Context() context.Context  { return context.Background() }
func (t *fakeTB) Output() io.Writer         { return &t.log }
func (t *fakeTB) Fatalf(f string, a ...any) { t.fatal = fmt.Sprintf(f, a...) }
func (t *fakeTB) Errorf(f string, a ...any) { t.errors = fmt.Sprintf(f, a...) }
func (t *fakeTB) Cleanup(f func())          { t.cleanups = append(t.cleanups, f) }

// end ends the test.
func (t *fakeTB) end() {
	for _, f := range t.cleanups {
		f()
	}
}
