package move

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
	"github.com/zrankdb/zrank/internal/testclock"
	"github.com/zrankdb/zrank/persist"
)

// place is an engine with boards.
type place struct {
	*board.Boards
	e *engine.Engine
}

func newPlace(t *testing.T, clock *testclock.Clock) place {
	fs := persist.MemFS()
	e, err := engine.Open("db", engine.Options{FS: fs, Clock: clock.Now, SnapshotBytes: -1})
	require.NoError(t, err)
	bs, err := board.Open(e, board.Options{})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, bs.Close())
		require.NoError(t, e.Close())
	})
	return place{bs, e}
}

// specs are boards that can move.
var specs = map[string]board.Spec{
	"sum":  {Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day, {Kind: "hour", Keep: 3}}, MaxMeta: 16},
	"best": {Name: "arena", Columns: []board.Column{{Name: "points"}, {Name: "deaths", Order: board.Asc}}, Windows: []board.Window{board.All, board.Week}},
	"kept": {Name: "arena", Op: board.BestOf, K: 3, Windows: []board.Window{board.All, board.Day}},
	"wide": {Name: "arena", Op: board.Sum, Columns: []board.Column{{Name: "a"}, {Name: "b", Op: board.Max}}, Ties: board.LastToReach, Windows: []board.Window{board.All, board.Day}},
}

// play makes random submissions, as time goes by.
func play(t *testing.T, clock *testclock.Clock, rng *rand.Rand, b board.Leaderboard, n int) {
	for i := range n {
		if rng.IntN(3) > 0 { // some arrive in one microsecond
			clock.Add(time.Duration(rng.IntN(20_000_000)) * time.Microsecond)
		}
		score := board.Ints(rng.Int64N(50))
		if len(b.Spec().Columns) > 1 {
			score = board.Ints(rng.Int64N(10), rng.Int64N(3))
		}
		s := board.Submission{Member: fmt.Sprint("m", rng.IntN(300)), Score: score}
		if b.Spec().MaxMeta > 0 && rng.IntN(4) == 0 {
			s.Meta = fmt.Append(nil, rng.IntN(1000))
		}
		if rng.IntN(4) == 0 {
			s.Once = fmt.Sprint("once", i)
		}
		_, err := b.Submit(s)
		require.NoError(t, err)
		switch rng.IntN(40) {
		case 0:
			_, err = b.Remove(fmt.Sprint("m", rng.IntN(300)))
		case 1:
			if b.Spec().MaxMeta > 0 {
				err = b.SetMeta("all", s.Member, fmt.Append(nil, "set", i))
			}
		}
		require.NoError(t, err)
	}
}

// everything returns all rankings of a board, and their descriptions.
func everything(t *testing.T, b board.Leaderboard) map[string]any {
	all := map[string]any{}
	for _, w := range b.Spec().Windows {
		periods, err := b.Periods(w.Name)
		require.NoError(t, err)
		for _, p := range periods {
			r, err := b.Period(w.Name, p.Period)
			require.NoError(t, err)
			rows, err := r.Top(1000)
			require.NoError(t, err)
			all[w.Name+"/"+p.Period] = []any{p.Info, p.Members, rows}
		}
	}
	return all
}

// TestEngines moves boards from one engine to another: everything is there, in the same order, and further submissions have the same answers as those of a board that has not
// moved.
func TestEngines(t *testing.T) {
	for name, spec := range specs {
		t.Run(name, func(t *testing.T) {
			clock := testclock.New()
			from, to, stays := newPlace(t, clock), newPlace(t, clock), newPlace(t, clock)
			source, err := from.Define(spec)
			require.NoError(t, err)
			model, err := stays.Define(spec)
			require.NoError(t, err)
			rng := rand.New(rand.NewPCG(1, 23))
			both := twice{t, source, model}
			play(t, clock, rng, both, 800)
			for _, p := range []place{from, stays} {
				_, err = p.CloseDue()
				require.NoError(t, err)
			}
			before := everything(t, source)
			require.Equal(t, everything(t, model), before)

			report, err := Board(t.Context(), "arena", from, to, Options{})
			require.NoError(t, err)
			require.True(t, report.Finished)
			require.Equal(t, len(before), report.Periods)
			_, err = source.Submit(board.Submission{Member: "ada", Score: board.Ints(1)})
			require.ErrorIs(t, err, board.ErrRelocated)
			_, err = from.Board("arena")
			require.ErrorIs(t, err, board.ErrRelocated)
			_, err = from.Define(spec)
			require.ErrorIs(t, err, board.ErrRelocated)

			target, err := to.Board("arena")
			require.NoError(t, err)
			require.Equal(t, source.Spec(), target.Spec())
			require.Equal(t, before, everything(t, target))
			play(t, clock, rng, twice{t, target, model}, 800)
			require.Equal(t, everything(t, model), everything(t, target))
			_, err = to.Check(t.Context(), nil)
			require.NoError(t, err)

			_, err = Board(t.Context(), "arena", to, from, Options{}) // and back
			require.NoError(t, err)
			again, err := from.Board("arena")
			require.NoError(t, err)
			play(t, clock, rng, twice{t, again, model}, 200)
			require.Equal(t, everything(t, model), everything(t, again))
			_, err = from.Check(t.Context(), nil)
			require.NoError(t, err)
		})
	}
}

// twice makes each change on two boards, which return the same.
type twice struct {
	t *testing.T
	board.Leaderboard
	model *board.Board
}

func (b twice) Submit(s board.Submission) (board.Change, error) {
	want, err := b.model.Submit(s)
	require.NoError(b.t, err)
	got, err := b.Leaderboard.Submit(s)
	require.Equal(b.t, want, got)
	return got, err
}

func (b twice) Remove(member string) ([]board.Removed, error) {
	want, err := b.model.Remove(member)
	require.NoError(b.t, err)
	got, err := b.Leaderboard.Remove(member)
	require.Equal(b.t, want, got)
	return got, err
}

func (b twice) SetMeta(window, member string, meta []byte) error {
	want := b.model.SetMeta(window, member, meta)
	require.Equal(b.t, want, b.Leaderboard.SetMeta(window, member, meta))
	return nil
}

// TestWhileUsed: callers go on while the board moves there and back, and do not notice. Every submission has counted once.
func TestWhileUsed(t *testing.T) {
	clock := testclock.New()
	a, b := newPlace(t, clock), newPlace(t, clock)
	total := 0
	for round := range 6 {
		from, to := a, b
		if round%2 == 1 {
			from, to = b, a
		}
		boards := Follow(board.StoreOf(from.Boards), board.StoreOf(to.Boards))
		arena, err := boards.Define(board.Spec{Name: "arena", Op: board.Sum, Windows: []board.Window{board.All, board.Day}, MaxMeta: 8})
		require.NoError(t, err)
		done := make(chan struct{})
		var callers sync.WaitGroup
		counted := make([]int, 4)
		for i := range counted {
			callers.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-done:
						if n > 50 {
							return
						}
					default:
					}
					c, err := arena.Submit(board.Submission{Member: fmt.Sprint("m", n%100), Score: board.Ints(1), Meta: fmt.Append(nil, n), Once: fmt.Sprint(round, i, "/", n)})
					if err != nil || c.Duplicate {
						t.Error(err, c.Duplicate)
						return
					}
					counted[i]++
				}
			})
		}
		report, err := Board(t.Context(), "arena", from, to, Options{})
		close(done)
		callers.Wait()
		require.NoError(t, err)
		t.Logf("%+v", report)
		for _, n := range counted {
			total += n
		}
		for _, window := range []string{"all", "day"} {
			live, err := arena.Live(window)
			require.NoError(t, err)
			rows, err := live.Top(1000)
			require.NoError(t, err)
			var sum int64
			for _, row := range rows {
				sum += row.Score.Int(0)
			}
			require.EqualValues(t, total, sum, "round %d, %s", round, window)
		}
	}
}
