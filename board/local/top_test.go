package local

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
)

// topWriter submits and removes its own members, whose scores it knows.
type topWriter struct {
	number int
	rng    *rand.Rand
	scores map[string]int64
}

// write makes some random calls. Scores rise and fall, and many are equal.
func (w *topWriter) write(b board.Board, calls int) error {
	ctx := context.Background()
	for range calls {
		member := fmt.Sprintf("w%d-%d", w.number, w.rng.IntN(30))
		if w.rng.IntN(10) == 0 {
			if _, err := b.Remove(ctx, member); err != nil {
				return err
			}
			delete(w.scores, member)
			continue
		}
		score := w.rng.Int64N(1 + w.rng.Int64N(200))
		if w.rng.IntN(3) > 0 {
			if _, err := b.Submit(ctx, board.Submission{Member: member, Score: board.Ints(score)}); err != nil {
				return err
			}
			w.scores[member] = score
			continue
		}
		batch := []board.Submission{{Member: member, Score: board.Ints(score)}, {Member: member + "x", Score: board.Ints(score / 2)}, {Member: member + "y", Score: board.Ints(0)}}
		if _, err := b.SubmitAll(ctx, batch); err != nil {
			return err
		}
		w.scores[member], w.scores[member+"x"], w.scores[member+"y"] = score, score/2, 0
	}
	return nil
}

// TestTopUnderWriters checks the promise of Top: the best n are exact and everybody's score is known, while 16 goroutines submit and remove.
// At every pause both are compared with all scores; meanwhile readers see n rows in order.
func TestTopUnderWriters(t *testing.T) {
	for _, segments := range []int{0, 7} {
		t.Run(fmt.Sprintf("segments=%d", segments), func(t *testing.T) { testTopUnderWriters(t, segments) })
	}
}

func testTopUnderWriters(t *testing.T, segments int) {
	buckets.SetFull(5)
	t.Cleanup(func() { buckets.SetFull(0) })
	const n, writers = 10, 16
	g := newGame(t, true, func(g *game) { g.o = engine.Options{} })
	b := g.define(board.Spec{Name: "arena", Op: board.Last, Ties: board.ByMember, Top: &board.Top{N: n, Reserve: 4, Segments: segments}})
	live, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	all := make([]*topWriter, writers)
	for i := range all {
		all[i] = &topWriter{i, rand.New(rand.NewPCG(uint64(i), 19)), map[string]int64{}}
	}
	for range howMany(24) {
		var wg sync.WaitGroup
		errs := make(chan error, writers+2)
		stop := make(chan struct{})
		var readers sync.WaitGroup
		readers.Go(func() { errs <- readTops(live, stop) })
		readers.Go(func() { errs <- count(g.bs, live, stop) })
		for _, w := range all {
			wg.Go(func() { errs <- w.write(b, 40) })
		}
		wg.Wait()
		close(stop)
		readers.Wait()
		for range writers + 2 {
			require.NoError(t, <-errs)
		}
		requireTop(t, live, all, n, segments > 0)
	}
	rep, err := g.bs.Check(context.Background(), nil)
	require.NoError(t, err)
	require.Empty(t, rep.Problems)
}

// count asks for ranks and counts members until stop is closed. It returns an error for a rank that no member beyond the best can have.
func count(bs *Boards, r board.Ranking, stop chan struct{}) error {
	for i := 0; ; i++ {
		select {
		case <-stop:
			return nil
		default:
		}
		row, ok, err := r.Rank(context.Background(), fmt.Sprintf("w%d-%d", i%16, i%30))
		if err != nil {
			return err
		}
		if ok && row.Beyond && (row.Rank+min(row.Within, 1<<20) <= 10 || row.Within != board.Unknown && row.Rank-row.Within > 16*90) {
			return fmt.Errorf("%+v", row)
		}
		if _, err := tail.CountDue(context.Background(), bs.catalog, 2); err != nil {
			return err
		}
	}
}

// readTops reads the best rows until stop is closed. It returns an error for rows that are out of order.
func readTops(r board.Ranking, stop chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		rows, err := r.Top(context.Background(), 100)
		if err != nil {
			return err
		}
		for i := 1; i < len(rows); i++ {
			if rows[i].Score.At(0).Int() > rows[i-1].Score.At(0).Int() {
				return fmt.Errorf("%v stands before %v", rows[i-1], rows[i])
			}
		}
	}
}

// requireTop compares a ranking with the scores that the writers know.
func requireTop(t *testing.T, r board.Ranking, writers []*topWriter, n int, within bool) {
	t.Helper()
	type entry struct {
		member string
		score  int64
	}
	var everybody []entry
	for _, w := range writers {
		for member, score := range w.scores {
			everybody = append(everybody, entry{member, score})
		}
	}
	slices.SortFunc(everybody, func(a, b entry) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.member, b.member)) })
	rows, err := r.Top(t.Context(), len(everybody))
	require.NoError(t, err)
	require.Len(t, rows, min(n, len(everybody)))
	for i, e := range everybody {
		row, ok, err := r.Rank(t.Context(), e.member)
		require.NoError(t, err)
		require.True(t, ok, e.member)
		require.Equal(t, board.Ints(e.score), row.Score, e.member)
		require.Equal(t, i >= n, row.Beyond, e.member)
		if within && i >= n {
			require.GreaterOrEqual(t, i+1, row.Rank-row.Within, "%+v", row)
			require.LessOrEqual(t, i+1, row.Rank+min(row.Within, math.MaxInt-row.Rank), "%+v", row)
			continue
		}
		require.Equal(t, min(i, n)+1, row.Rank, e.member)
		if i < n {
			require.Equal(t, e.member, rows[i].Member)
		}
	}
}
