package local

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/window"
)

// submitDuring submits to a period without members. It runs meanwhile in the middle, after the submission's first check.
func submitDuring(g *game, b board.Board, at time.Time, meanwhile func() error) error {
	_, err := b.SubmitFunc(context.Background(), board.Submission{Member: "late", At: at}, func(board.Row, bool) (board.Score, bool) {
		done := make(chan error)
		go func() { done <- meanwhile() }()
		if err := <-done; err != nil {
			g.t.Error(err)
		}
		meanwhile = func() error { return nil }
		return board.Ints(1), true
	})
	return err
}

// hours defines a board of hours that accepts late results for a day, with a member in the live hour.
func hours(g *game) board.Board {
	b := g.define(counting("arena", board.Window{Kind: window.Hour, Grace: window.Duration(24 * time.Hour)}))
	g.score(b, "ada", 1)
	return b
}

// TestB5Overtaken: a late result into a new period is refused if the period is closed during the call.
func TestB5Overtaken(t *testing.T) {
	g := newGame(t, false)
	b := hours(g)
	at := g.clock.Now().Add(-2 * time.Hour)
	err := submitDuring(g, b, at, func() error { _, err := b.CloseNow(t.Context(), "hour"); return err })
	require.ErrorIs(t, err, board.ErrPeriodClosed)
	require.Len(t, g.sets(), 1)
}

// TestB5Between: no result enters a period between several that are being closed.
func TestB5Between(t *testing.T) {
	g := newGame(t, false)
	b := hours(g)
	now, tries := g.clock.Now(), 0
	_, err := b.Submit(t.Context(), board.Submission{Member: "bob", Score: board.Ints(1), At: now.Add(-3 * time.Hour)})
	require.NoError(t, err)
	g.logged.afterRecord = func(line string) {
		tries++
		_, err := b.Submit(t.Context(), board.Submission{Member: "late", Score: board.Ints(1), At: now.Add(-time.Hour)})
		require.ErrorIs(t, err, board.ErrPeriodClosed, line)
	}
	_, err = b.CloseNow(t.Context(), "hour")
	require.NoError(t, err)
	require.Equal(t, 2, tries)
	usage, err := usageOf(b)
	require.NoError(t, err)
	require.Len(t, usage, 2)
	for _, u := range usage {
		require.False(t, u.ClosedAt.IsZero(), "%s has a record", u.Period)
	}
}

// startFreezing returns a function that starts do in a goroutine and returns when do has frozen the board, or is done, and one that waits for do.
func startFreezing(b board.Board, do func() error) (meanwhile func() error, wait func() error) {
	done := make(chan error, 1)
	return func() error {
		go func() { done <- do() }()
		for !coreOf(b).IsFrozen() {
			select {
			case err := <-done:
				done <- err
				return nil
			default:
				runtime.Gosched()
			}
		}
		return nil
	}, func() error { return <-done }
}

// TestMigrateOvertakes: a submission that opens a period during a migration is applied to the new version.
func TestMigrateOvertakes(t *testing.T) {
	g := newGame(t, false)
	b := hours(g)
	spec := b.Spec()
	spec.Columns = []board.Column{{Order: board.Asc}}
	at := g.clock.Now().Add(-2 * time.Hour)
	meanwhile, wait := startFreezing(b, func() error { _, err := g.bs.Migrate(t.Context(), spec); return err })
	require.NoError(t, submitDuring(g, b, at, meanwhile))
	require.NoError(t, wait())
	require.Equal(t, "late 1", g.show(b.At(t.Context(), "hour", at)))
	require.Equal(t, []string{"board/arena/hour/2026-11-20T10/v2", "board/arena/hour/2026-11-20T12/v2"}, g.sets())
}

// TestDropOvertakes: a submission that opens a period during Drop or Close is refused, and leaves no set.
func TestDropOvertakes(t *testing.T) {
	g := newGame(t, false)
	b := hours(g)
	at := g.clock.Now().Add(-2 * time.Hour)
	meanwhile, wait := startFreezing(b, func() error { return g.bs.Drop(t.Context(), "arena") })
	require.ErrorIs(t, submitDuring(g, b, at, meanwhile), board.ErrNoBoard)
	require.NoError(t, wait())
	require.Empty(t, g.sets())
	b = hours(g)
	require.ErrorIs(t, submitDuring(g, b, at, func() error { return g.bs.Close() }), board.ErrClosed)
	require.Len(t, g.sets(), 1)
}
