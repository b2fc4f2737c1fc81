package local

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/engine"
)

// onBoard defines a board, to which the world's entries go from now on. The ranking becomes that of the board's window All.
func (w *world) onBoard(t testing.TB, bs *Boards, name string) board.Board {
	b, err := bs.Define(t.Context(), board.Spec{Name: name, Columns: w.columns, Op: rules.Last, Ties: w.rules.Ties(), Windows: []board.Window{board.All}, MaxMeta: 100})
	require.NoError(t, err)
	w.add = func(member string, e rules.Entry, _ int64, _ []byte) error {
		at := zeroTime
		if e.Reached != 0 {
			at = time.UnixMicro(e.Reached)
		}
		meta, _ := metaFor(context.Background(), member)
		if _, err := b.Remove(t.Context(), member); err != nil { // an entry that is newer would stay
			return err
		}
		_, err := b.Submit(t.Context(), board.Submission{Member: member, Score: e.Score, At: at, Meta: meta})
		return err
	}
	w.drop = func(member string) error {
		_, err := b.Remove(t.Context(), member)
		return err
	}
	w.Ranking, err = b.Live(t.Context(), "all")
	require.NoError(t, err)
	return b
}

func newBoards(t testing.TB) *Boards {
	e, err := engine.New(engine.Options{Clock: func() time.Time { return zeroTime.AddDate(0, 0, 1) }})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, bs.Close()) })
	return bs
}

// TestEveryReadOfABoard is TestEveryRead for rankings of boards, empty ones too.
func TestEveryReadOfABoard(t *testing.T) {
	bs := newBoards(t)
	compared := 0
	for i, ties := range allTies {
		for _, n := range []int{0, 1, fewer(200)} {
			w := newWorld(t, uint64(i), directions(1 + i)[1], ties, false)
			w.onBoard(t, bs, fmt.Sprintf("%d/%d", i, n))
			w.fill(t, n)
			compared += w.checkReads(t)
		}
	}
	t.Logf("%d answers compared", compared)
}

// TestClosedEngine: after Engine.Close every read returns engine.ErrClosed.
func TestClosedEngine(t *testing.T) {
	e, err := engine.New(engine.Options{})
	require.NoError(t, err)
	bs, err := Open(e, Options{})
	require.NoError(t, err)
	w := newWorld(t, 1, nil, rules.FirstToReach, false)
	w.onBoard(t, bs, "closed")
	require.NoError(t, bs.Close())
	require.NoError(t, e.Close())
	for name, call := range calls() {
		some, err := call(w)
		require.ErrorIs(t, err, engine.ErrClosed, name)
		require.False(t, some, name)
	}
}

// TestOneMoment: while another goroutine writes, a View and a Card read one moment, and a pinned ranking does not change.
func TestOneMoment(t *testing.T) {
	w := newWorld(t, 1, nil, rules.FirstToReach, false)
	w.onBoard(t, newBoards(t), "moments")
	w.fill(t, 300)
	want := w.sorted(board.Competition)
	pinned := mustPin(t, w.By(board.Competition))
	stop, done := make(chan struct{}), sync.WaitGroup{}
	done.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				w.change(t)
			}
		}
	})
	for range fewer(300) {
		require.NoError(t, w.By(board.Dense).View(t.Context(), oneMoment))
		card, err := w.Card(t.Context(), want[0].Member, math.MaxInt, 1)
		require.NoError(t, err)
		require.Len(t, card.Top, card.Len)
		rows, err := pinned.Top(t.Context(), math.MaxInt)
		require.NoError(t, err)
		for i := range rows {
			rows[i].Meta, want[i].Meta = nil, nil // metadata is not pinned: a removed member has none
		}
		require.True(t, equal(rows, want))
	}
	close(stop)
	done.Wait()
}

// oneMoment returns an error unless several reads of a View agree.
func oneMoment(r board.Ranking) error {
	ctx := context.Background()
	rows, err := r.Top(ctx, math.MaxInt)
	if err != nil {
		return err
	}
	i := 0
	for row, err := range r.All(ctx) {
		if err != nil || row.Rank != rows[i].Rank || row.Member != rows[i].Member {
			return fmt.Errorf("row %d has moved: %w", i, err)
		}
		i++
	}
	if n, err := r.Len(ctx); err != nil || n != i || n != len(rows) {
		return fmt.Errorf("%d rows of %d: %w", i, n, err)
	}
	return nil
}

// TestArrowsInAView: Arrows works in a View with a pinned base, and outside with a baseline.
func TestArrowsInAView(t *testing.T) {
	w := newWorld(t, 1, nil, rules.FirstToReach, false)
	b := w.onBoard(t, newBoards(t), "arrows")
	for i, member := range []string{"a", "b", "c"} {
		w.put(t, member, rules.Ints(int64(10-i)))
	}
	base, err := w.Pin(context.Background())
	require.NoError(t, err)
	require.NoError(t, b.SaveBaseline(t.Context(), "all", "before"))
	w.put(t, "c", rules.Ints(11))
	w.remove(t, "b")
	want := []board.Arrow{{Member: "c", Ranked: true, Rank: 1, WasRanked: true, Was: 3, Up: 2}, {Member: "a", Ranked: true, Rank: 2, WasRanked: true, Was: 1, Up: -1}, {Member: "b", Ranked: false, Rank: 0, WasRanked: true, Was: 2, Up: 0}, {Member: "x", Ranked: false, Rank: 0, WasRanked: false, Was: 0, Up: 0}}
	require.NoError(t, w.View(t.Context(), func(r board.Ranking) error {
		arrows, err := r.Arrows(t.Context(), base, "c", "a", "b", "x")
		require.Equal(t, want, arrows)
		return err
	}))
	saved, err := b.Baseline(t.Context(), "all", "before")
	require.NoError(t, err)
	arrows, err := w.Arrows(t.Context(), saved, "c", "a", "b", "x")
	require.NoError(t, err)
	require.Equal(t, want, arrows)
}
