package local

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/tail"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/internal/matrix"
)

// twins are two boards with the same submissions: one ranks everybody, the other the best 100, and all others within bounds.
type twins struct {
	*testing.T
	*game
	rng          *rand.Rand
	all, best    board.Board
	exact, rough board.Ranking
	members      int
	questions    int
	off, within  float64 // sums
}

func newTwins(t *testing.T, segments, members int) *twins {
	x := &twins{T: t, rng: rand.New(rand.NewPCG(uint64(segments), 21)), members: members}
	x.game = newGame(t, false, func(g *game) { g.o = engine.Options{} })
	x.all = x.define(board.Spec{Name: "everybody", Op: board.Last})
	x.best = x.define(board.Spec{Name: "best", Op: board.Last, Top: &board.Top{N: 100, Reserve: 25, Segments: segments}})
	var err error
	x.exact, err = x.all.Live(t.Context(), "all")
	require.NoError(t, err)
	x.rough, err = x.best.Live(t.Context(), "all")
	require.NoError(t, err)
	return x
}

// submit submits a random score. How scores are distributed depends on the phase: newcomers come last; scores move at random, fall to few values, rise
// all together.
func (x *twins) submit(phase, i int) {
	x.jump(time.Microsecond) // no two of equal score are reached at one time
	sub := board.Submission{Member: fmt.Sprint("m", x.rng.IntN(x.members)), At: x.clock.Now()}
	switch phase {
	case 0:
		sub.Member, sub.Score = fmt.Sprint("m", i%x.members), board.Ints(0)
	case 1:
		sub.Score = board.Ints(x.rng.Int64N(1_000_000))
	case 2:
		sub.Score = board.Ints(x.rng.Int64N(5))
	case 3:
		sub.Score = board.Ints(int64(2_000_000 + i + x.rng.IntN(1000)))
	case 4:
		if x.rng.IntN(3) == 0 {
			for _, b := range []board.Board{x.all, x.best} {
				_, err := b.Remove(context.Background(), sub.Member)
				require.NoError(x, err)
			}
			return
		}
		sub.Score = board.Ints(int64(x.rng.NormFloat64() * 1e5))
	}
	for _, b := range []board.Board{x.all, x.best} {
		_, err := b.Submit(context.Background(), sub)
		require.NoError(x, err)
	}
}

// ask asks both boards for the rank of a random member.
func (x *twins) ask() {
	member := fmt.Sprint("m", x.rng.IntN(x.members))
	want, ranked, err := x.exact.Rank(context.Background(), member)
	require.NoError(x, err)
	got, ok, err := x.rough.Rank(context.Background(), member)
	require.NoError(x, err)
	off := want.Rank - got.Rank
	if ranked != ok || max(off, -off) > got.Within || got.Beyond != (want.Rank > 100) || !got.Beyond && got.Within > 0 {
		x.Fatalf("%s has the rank %d, and the answer is %+v", member, want.Rank, got)
	}
	x.questions++
	x.off, x.within = x.off+float64(max(off, -off)), x.within+float64(got.Within)
}

// TestCoarseRanks asks many random questions about members beyond the best 100, while scores move in several ways. Each answer is compared with the
// rank on a board of everybody. With -args -long there are 10 million questions.
func TestCoarseRanks(t *testing.T) {
	members, questions := matrix.Pick(3000, 50_000), matrix.Pick(40_000, 10_000_000)
	if invariants.Enabled {
		members, questions = members/3, questions/8
	}
	const segments, phases = 50, 5
	x := newTwins(t, segments, members)
	for phase := range phases {
		x.off, x.within, x.questions = 0, 0, 0
		for i := range 2 * members {
			x.submit(phase, i)
			for x.questions*2*members < questions/phases*(i+1) {
				x.ask()
			}
			if i%20 == 0 {
				_, err := tail.CountDue(t.Context(), x.bs.catalog, 1)
				require.NoError(t, err)
			}
		}
		n := float64(x.questions)
		t.Logf("phase %d: %d questions, off by %.1f, within %.1f, %.2f of a segment", phase, x.questions, x.off/n, x.within/n, x.within/n*segments/float64(members))
		require.Less(t, x.within/n, 3*float64(members)/segments)
	}
	require.NoError(t, x.bs.CountDue(context.Background()))
	x.ask()
}

// TestCoarseModes: in every mode the rank of each member, among the best and beyond, is the one computed from all scores, within its bound; also of equals on both sides of place N. There
// Modified gives those among the best the rank N, and says nothing of the others but that they are beyond.
func TestCoarseModes(t *testing.T) {
	const n, members = 100, 600
	for _, scores := range []int64{2, 5, 40, 1000} {
		x := newTwins(t, 50, members)
		for i := range 2 * members {
			x.jump(time.Microsecond)
			sub := board.Submission{Member: fmt.Sprint("m", i%members), Score: board.Ints(x.rng.Int64N(scores)), At: x.clock.Now()}
			for _, b := range []board.Board{x.all, x.best} {
				_, err := b.Submit(t.Context(), sub)
				require.NoError(t, err)
			}
		}
		require.NoError(t, x.bs.CountDue(context.Background()))
		rows, err := x.exact.Top(t.Context(), members) // the order of all
		require.NoError(t, err)
		better, atLeast, distinct := map[board.Score]int{}, map[board.Score]int{}, map[board.Score]int{}
		for i, row := range rows {
			if _, ok := better[row.Score]; !ok {
				better[row.Score], distinct[row.Score] = i, len(distinct)+1
			}
			atLeast[row.Score] = i + 1
		}
		edge := rows[n-1].Score
		for place, row := range rows {
			want := map[board.Mode]int{board.Ordinal: place + 1, board.Competition: better[row.Score] + 1, board.Modified: atLeast[row.Score], board.Dense: distinct[row.Score]}
			for mode, rank := range want {
				got, ok, err := x.rough.By(mode).Rank(t.Context(), row.Member)
				require.NoError(t, err)
				require.True(t, ok)
				require.Equal(t, place >= n, got.Beyond, "%v, place %d", mode, place+1)
				if mode == board.Modified && row.Score == edge && atLeast[edge] > n {
					if rank = n; place >= n {
						require.Equal(t, board.Unknown, got.Within, "place %d", place+1)
						require.Equal(t, n+1, got.Rank)
						continue
					}
				}
				off := max(rank-got.Rank, got.Rank-rank)
				require.LessOrEqual(t, off, got.Within, "%v, place %d: rank %d, want %d", mode, place+1, got.Rank, rank)
				require.True(t, got.Beyond || got.Within == 0)
			}
		}
	}
}

// TestCoarseShown: a member that is hidden and shown counts once among those beyond the best n.
func TestCoarseShown(t *testing.T) {
	g := newGame(t, false)
	b := g.define(board.Spec{Name: "arena", Top: &board.Top{N: 2, Reserve: 1, Segments: 2}})
	for i := range 9 {
		g.score(b, fmt.Sprint("m", i), int64(20-i))
	}
	r, err := b.Live(t.Context(), "all")
	require.NoError(t, err)
	_, _, err = r.Rank(t.Context(), "m8")
	require.NoError(t, err)
	require.NoError(t, g.bs.CountDue(t.Context()))
	want, _, err := r.Rank(t.Context(), "m8")
	require.NoError(t, err)
	require.Less(t, want.Within, 9)
	for range 5 {
		_, err = b.Hide(t.Context(), "m5", ops)
		require.NoError(t, err)
		_, err = b.Show(t.Context(), "m5", ops)
		require.NoError(t, err)
	}
	row, _, err := r.Rank(t.Context(), "m8")
	require.NoError(t, err)
	require.Equal(t, want, row)
}
