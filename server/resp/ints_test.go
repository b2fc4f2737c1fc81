package resp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/local"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/server/resp/internal/keyspace"
	"github.com/zrankdb/zrank/server/resp/internal/session"
	"github.com/zrankdb/zrank/zset"
)

// shown calls fn with the set of a key as clients read it.
func shown(t *testing.T, p *peer, key string, fn func(v keyspace.Sorted)) {
	t.Helper()
	c := &session.Client{Host: p.s.host}
	require.NoError(t, c.Transact([]string{key}, false, func(x *session.Txn) error {
		v, err := x.Read([]byte(key))
		require.NoError(t, err)
		fn(v)
		return nil
	}))
}

// withBoards is startServer with boards.
func withBoards(t *testing.T, eo engine.Options, o Options) (*peer, *local.Boards) {
	t.Helper()
	e, err := engine.New(eo)
	require.NoError(t, err)
	boards, err := local.Open(e, local.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, boards.Close()); require.NoError(t, e.Close()) })
	o.Boards = boards
	return serve(t, e, o), boards
}

// TestRankingsAsSortedSets: for every order, kind and tie rule the sorted set of a period has the members, scores and ranks that follow from
// the rows of its board.
func TestRankingsAsSortedSets(t *testing.T) {
	p, boards := withBoards(t, engine.Options{}, Options{})
	r := rand.New(rand.NewPCG(7, 7))
	checked, sets := 0, 0
	for _, order := range []board.Column{{Order: board.Desc}, {Order: board.Asc}} {
		for _, kind := range []board.Column{{Kind: board.Int64}, {Kind: board.Float64}} {
			for _, ties := range []board.Ties{board.FirstToReach, board.LastToReach, board.ByMember} {
				for _, members := range []int{1, 20, 140} {
					name := fmt.Sprint(order.Order, kind.Kind, ties, members)
					b, err := boards.Define(t.Context(), board.Spec{Name: name, Ties: ties, Op: board.Last,
						Columns: []board.Column{{Order: order.Order, Kind: kind.Kind}, {Name: "second"}}})
					require.NoError(t, err)
					for i := range members {
						_, err := b.Submit(t.Context(), board.Submission{Member: fmt.Sprint("m", i), Score: board.Values(someValue(r, kind.Kind), board.Int(int64(r.IntN(3))))})
						require.NoError(t, err)
					}
					live, err := b.Live(t.Context(), "all")
					require.NoError(t, err)
					rows, err := live.Top(t.Context(), members)
					require.NoError(t, err)
					shown(t, p, "board/"+name+"/all/all/v1", func(v keyspace.Sorted) { checked += compareRows(t, v, rows, order.Order == board.Desc) })
					sets++
				}
			}
		}
	}
	t.Logf("%d rankings, %d answers", sets, checked)
}

// someValue returns a number, often one of few, sometimes an extreme one.
func someValue(r *rand.Rand, kind board.ColumnKind) board.Value {
	if kind == board.Float64 {
		return board.Float([]float64{-1e300, -2.5, -0.1, 0, 0.1, 3, 1e300, float64(r.IntN(9)) / 4}[r.IntN(8)])
	}
	return board.Int([]int64{math.MinInt64, -5, 0, 1, 1<<53 + 1, 1<<53 + 2, math.MaxInt64, int64(r.IntN(9))}[r.IntN(8)])
}

// compareRows compares a set with the rows of its board, best first, and returns the number of comparisons. down says that the best row has
// the highest score.
func compareRows(t *testing.T, v keyspace.Sorted, rows []board.Row, down bool) (checked int) {
	t.Helper()
	n := len(rows)
	want := make([]zset.Entry, n) // in ascending order
	for i, row := range rows {
		at := i
		if down {
			at = n - 1 - i
		}
		want[at] = zset.Entry{Member: []byte(row.Member), Score: row.Score.At(0).Float()}
	}
	require.Equal(t, n, v.Len())
	var got, rev []zset.Entry
	for m, s := range v.Range(0, n) {
		got = append(got, zset.Entry{Member: m, Score: s})
	}
	for m, s := range v.RevRange(0, n) {
		rev = append([]zset.Entry{{Member: m, Score: s}}, rev...)
	}
	require.Equal(t, want, got)
	require.Equal(t, want, rev)
	for i, e := range want {
		rank, score, ok := v.RankScore(e.Member)
		require.True(t, ok && rank == i && score == e.Score, "%s: %d, %v", e.Member, rank, score)
		require.True(t, i == 0 || want[i-1].Score <= e.Score)
		for _, high := range want {
			for _, bounds := range [][2]bool{{false, false}, {true, false}, {false, true}} {
				lo, hi := v.ScoreInterval(zset.Bound{Score: e.Score, Exclusive: bounds[0]}, zset.Bound{Score: high.Score, Exclusive: bounds[1]})
				count := 0
				for _, x := range want {
					if (x.Score > e.Score || x.Score == e.Score && !bounds[0]) && (x.Score < high.Score || x.Score == high.Score && !bounds[1]) {
						count++
					}
				}
				if hi-lo != count {
					require.Equal(t, count, hi-lo, "%v %v %v", e.Score, high.Score, bounds)
				}
				checked++
			}
			if n > 20 {
				break
			}
		}
	}
	lo, hi := v.ScoreInterval(zset.Bound{Score: math.Inf(-1)}, zset.Bound{Score: math.Inf(1)})
	require.Equal(t, [2]int{0, n}, [2]int{lo, hi})
	require.ErrorIs(t, keyspace.Lexical(v), keyspace.ErrNotByMember)
	members := map[string]bool{}
	for m := range v.Range(0, v.Len()) {
		members[string(m)] = true
	}
	require.Len(t, members, n)
	return checked + 2*n
}

// TestIntSetsOfTheProgram: the scores of a set that the program has made read as numbers, and the set has ranges by member.
func TestIntSetsOfTheProgram(t *testing.T) {
	p := startServer(t, engine.Options{}, Options{})
	require.NoError(t, p.s.e.Update(t.Context(), func(tx *engine.Tx) error {
		s, err := tx.IntSet("ids", engine.Form{})
		if err != nil {
			return err
		}
		for i, m := range []string{"a", "b", "c"} {
			if _, err := s.Add([]byte(m), int64(i)-1); err != nil {
				return err
			}
		}
		return nil
	}, "ids"))
	shown(t, p, "ids", func(v keyspace.Sorted) {
		require.NoError(t, keyspace.Lexical(v))
		score, ok := v.Score([]byte("a"))
		require.True(t, ok)
		require.Equal(t, -1.0, score)
		lo, hi := v.ScoreInterval(zset.Bound{Score: -1, Exclusive: true}, zset.Bound{Score: 1})
		require.Equal(t, [2]int{1, 3}, [2]int{lo, hi})
		require.Equal(t, "listpack", v.Encoding())
		_, ok = v.Score([]byte("x"))
		require.False(t, ok)
	})
}

// TestBoardsThatAreNotOpen: the scores of a ranking have meaning only through its board's rules, so without its board the ranking cannot be
// read.
func TestBoardsThatAreNotOpen(t *testing.T) {
	p, boards := withBoards(t, engine.Options{}, Options{})
	b, err := boards.Define(t.Context(), board.Spec{Name: "arena", Windows: []board.Window{board.Day}})
	require.NoError(t, err)
	_, err = b.Submit(t.Context(), board.Submission{Member: "ada", Score: board.Ints(1), At: time.Now()})
	require.NoError(t, err)
	live, err := b.Live(t.Context(), "day")
	require.NoError(t, err)
	info, err := live.Info(t.Context())
	require.NoError(t, err)
	key := "board/arena/day/" + info.Period + "/v1"
	shown(t, p, key, func(v keyspace.Sorted) { require.Equal(t, 1, v.Len()) })
	other := serve(t, p.s.e, Options{})
	c := &session.Client{Host: other.s.host}
	read := func() error {
		return c.Transact([]string{key}, false, func(x *session.Txn) error {
			_, err := x.Read([]byte(key))
			return err
		})
	}
	require.ErrorContains(t, read(), "boards are not open")
	c = &session.Client{Host: p.s.host}
	require.NoError(t, read())
	require.NoError(t, boards.Close())
	require.ErrorContains(t, read(), "closed")
}
