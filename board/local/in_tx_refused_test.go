package local

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
)

// inView runs fn with a board in a View of its keys.
func (g *game) inView(b board.Board, keys []string, fn func(in InTx) error) error {
	return g.e.View(context.Background(), func(tx *engine.Tx) error { return fn(in(b, tx)) }, keys...)
}

// TestReadNamesNoKeys: a transaction that has named no keys, or others, reads all that the board has, also of members that are not among the best.
func TestReadNamesNoKeys(t *testing.T) {
	for name := range readableKinds {
		g, b := filled(t, name, false)
		want := must(must(b.Live(t.Context(), "day")).Top(t.Context(), 9))
		for _, keys := range [][]string{nil, {"other"}} {
			require.NoError(t, g.inView(b, keys, func(in InTx) error {
				for _, r := range []board.Ranking{must(in.Live("day")), must(in.At(t.Context(), "day", g.clock.Now()))} {
					require.Equal(t, text(want), text(must(r.Top(t.Context(), 9))), name)
					for _, row := range want {
						got, ok, err := r.Rank(t.Context(), row.Member)
						require.NoError(t, err)
						require.True(t, ok)
						require.Equal(t, row.Score, got.Score)
					}
					_, ok, err := r.Rank(t.Context(), "nobody")
					require.NoError(t, err)
					require.False(t, ok)
				}
				require.ErrorIs(t, in.SetMeta("day", "a", nil), engine.ErrReadOnly)
				_, err := in.Live("month")
				require.ErrorIs(t, err, board.ErrNoWindow)
				_, err = in.Period("day", "noon")
				require.ErrorIs(t, err, board.ErrPeriodName)
				_, ok, err := in.BestRank("day", want[0].Member)
				require.NoError(t, err)
				require.Equal(t, b.Spec().BestRanks, ok)
				return nil
			}))
		}
		_, err := hintsOf(b).Read(t.Context(), nil, "month")
		require.ErrorIs(t, err, board.ErrNoWindow)
		_, err = hintsOf(b).Read(t.Context(), nil, "day", "noon")
		require.ErrorIs(t, err, board.ErrPeriodName)
		require.Zero(t, must(g.e.Stats()).Restarts)
	}
}

// TestReadInView: a View reads everything and changes nothing.
func TestReadInView(t *testing.T) {
	g, b := filled(t, "one set", false)
	sub := board.Submission{Member: "a", Score: board.Ints(1), At: g.clock.Now()}
	require.NoError(t, g.inView(b, readKeysOfAll(t, b, "day", sub.At), func(in InTx) error {
		require.ErrorIs(t, in.SetMeta("day", "a", nil), engine.ErrReadOnly)
		_, err := in.SubmitFunc(sub, func(board.Row, bool) (board.Score, bool) { return board.Ints(1), true })
		require.ErrorIs(t, err, engine.ErrReadOnly)
		rank, ok, err := in.BestRank("day", "a")
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, 1, rank)
		_, ok, err = in.BestRank("day", "nobody")
		require.False(t, ok)
		return err
	}))
}

// TestReadAfterTx: a ranking of a transaction returns engine.ErrTxDone once that has ended, in whatever way, and so does what it gave; a pinned copy
// stays.
func TestReadAfterTx(t *testing.T) {
	for name := range readableKinds {
		g, b := filled(t, name, false)
		keys := readKeysOfAll(t, b, "day", g.clock.Now())
		for _, end := range []error{nil, errChanged} {
			for _, run := range []func(context.Context, func(*engine.Tx) error, ...string) error{g.e.Update, g.e.View} {
				var live, pinned board.Ranking
				var it InTx
				require.ErrorIs(t, run(t.Context(), func(tx *engine.Tx) (err error) {
					it = in(b, tx)
					live, err = it.Live("day")
					require.NoError(t, err)
					pinned = mustPin(t, live)
					return end
				}, keys...), end)
				for call, do := range rankingInside(t.Context(), live).refused {
					require.ErrorIs(t, do(), engine.ErrTxDone, call)
				}
				_, err := live.By(board.Dense).Top(t.Context(), 1)
				require.ErrorIs(t, err, engine.ErrTxDone)
				_, err = it.Live("day")
				require.ErrorIs(t, err, engine.ErrTxDone)
				require.ErrorIs(t, it.SetMeta("day", "a", nil), engine.ErrTxDone)
				for call, do := range rankingInside(t.Context(), pinned).refused {
					require.NoError(t, do(), call)
				}
			}
		}
	}
}

// TestReadPeriodBegun: if another period has begun since ReadKeys, Live is that, and the period that was named can be read by its name.
func TestReadPeriodBegun(t *testing.T) {
	g, b := filled(t, "one set", false)
	yesterday := infoOf(must(b.Live(t.Context(), "day"))).Period
	keys := must(hintsOf(b).Read(t.Context(), nil, "day"))
	g.jump(24 * time.Hour)
	g.closeDue(1)
	require.NoError(t, g.inView(b, keys, func(in InTx) error {
		require.NotEqual(t, yesterday, infoOf(must(in.Live("day"))).Period)
		n, err := must(in.Period("day", yesterday)).Len(t.Context())
		require.Equal(t, 10, n)
		return err
	}))
	keys = must(hintsOf(b).Read(t.Context(), must(hintsOf(b).Read(t.Context(), nil, "day")), "day", yesterday))
	require.NoError(t, g.inView(b, keys, func(in InTx) error {
		live := must(in.Live("day"))
		arrows, err := live.Arrows(t.Context(), must(in.Period("day", yesterday)), "a")
		require.NoError(t, err)
		require.True(t, arrows[0].WasRanked)
		_, err = in.Period("day", infoOf(live).Period)
		require.ErrorIs(t, err, board.ErrNoPeriod)
		require.ErrorIs(t, in.SetMeta("day", "a", nil), board.ErrNotRanked)
		return nil
	}))
	_, err := b.CloseNow(t.Context(), "day")
	require.NoError(t, err)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		require.ErrorIs(t, in(b, tx).SetMeta("day", "a", nil), board.ErrPeriodClosed)
		return nil
	}, keys...))
}

// TestReadDue: results that have left a rolling window since ReadKeys are gone for an Update, and make a View begin again.
func TestReadDue(t *testing.T) {
	g, b := filled(t, "rolling", true)
	keys := must(hintsOf(b).Read(t.Context(), nil, "day"))
	g.jump(3*time.Hour - 5*time.Second) // the first five results have left
	length := func(in InTx) error {
		live, err := in.Live("day")
		if err != nil {
			return err
		}
		n, err := live.Len(t.Context())
		require.Equal(t, 4, n)
		return err
	}
	require.NoError(t, g.inView(b, keys, length))
	require.EqualValues(t, 1, must(g.e.Stats()).Restarts)
	require.ErrorIs(t, g.e.Update(t.Context(), func(tx *engine.Tx) error { return errors.Join(length(in(b, tx)), errChanged) }, keys...), errChanged)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error { return length(in(b, tx)) }, keys...))
	require.NoError(t, g.inView(b, keys, length))
	g.jump(time.Second)
	_, err := hintsOf(b).Read(t.Context(), nil, "day")
	require.NoError(t, err)
	require.NoError(t, g.inView(b, keys, func(in InTx) error {
		n, err := must(in.Live("day")).Len(t.Context())
		require.Equal(t, 3, n)
		return err
	}))
	g.requireSound(0, 0)
}

// TestReadMoved: a read of a board whose sets have become more since ReadKeys locks the others, too.
func TestReadMoved(t *testing.T) {
	for name, spec := range map[string]board.Spec{
		"parts": {PartMembers: 2},
		"top":   {Top: &board.Top{N: 1, Reserve: 1}},
	} {
		buckets.SetFull(2)
		t.Cleanup(func() { buckets.SetFull(0) })
		g := newGame(t, false)
		spec.Name = name
		b := g.define(spec)
		members := func(n int) (keys [][]string) {
			for i := range n {
				g.score(b, fmt.Sprint("m", i), int64(i))
			}
			for i := range n {
				keys = append(keys, must(hintsOf(b).ReadOf(t.Context(), nil, fmt.Sprint("m", i), "all")))
			}
			return keys
		}
		old := members(4)
		fresh := members(40)
		for i := range old {
			read := func(in InTx) error {
				live, err := in.Live("all")
				if err == nil {
					_, _, err = live.Rank(t.Context(), fmt.Sprint("m", i))
				}
				return err
			}
			require.NoError(t, g.inView(b, old[i], read))
			require.NoError(t, g.inView(b, fresh[i], read))
		}
	}
}

// TestReadMigrated: a transaction that has named the keys of a board before its migration locks those that the board has by now.
func TestReadMigrated(t *testing.T) {
	g, b := filled(t, "one set", false)
	keys := readKeysOfAll(t, b, "day", g.clock.Now())
	spec := b.Spec()
	spec.MaxMeta = 11
	g.migrate(spec)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		in := in(b, tx)
		n := must(must(in.Live("day")).Len(t.Context()))
		_, err := in.SubmitFunc(board.Submission{Member: "new", At: g.clock.Now()}, func(board.Row, bool) (board.Score, bool) { return board.Ints(1), true })
		require.NoError(t, err)
		require.Equal(t, n+1, must(must(in.Live("day")).Len(t.Context())))
		return in.SetMeta("day", "new", []byte("12345678901"))
	}, keys...))
	require.NoError(t, g.inView(b, keys, func(in InTx) error { return errorOf(must(in.Live("day")).Len(t.Context())) }))
}

// TestReadGone: a transaction gets ErrNoBoard from a board that has been dropped, and ErrClosed once the boards are closed.
func TestReadGone(t *testing.T) {
	for want, do := range map[error]func(g *game) error{
		board.ErrNoBoard: func(g *game) error { return g.bs.Drop(t.Context(), "arena") },
		board.ErrClosed:  func(g *game) error { return g.bs.Close() },
	} {
		g, b := filled(t, "one set", false)
		keys := readKeysOfAll(t, b, "day", g.clock.Now())
		require.NoError(t, do(g))
		require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
			in := in(b, tx)
			for call, err := range map[string]error{
				"Live": errorOf(in.Live("day")), "At": errorOf(in.At(t.Context(), "day", g.clock.Now())), "Period": errorOf(in.Period("day", "2026-11-20")),
				"BestRank": errorOf2(in.BestRank("day", "a")), "SetMeta": in.SetMeta("day", "a", nil),
				"SubmitFunc": errorOf(in.SubmitFunc(board.Submission{Member: "a", At: g.clock.Now()}, func(board.Row, bool) (board.Score, bool) { return board.Ints(1), true })),
			} {
				require.ErrorIs(t, err, want, call)
			}
			return nil
		}, keys...))
		_, err := hintsOf(b).Read(t.Context(), nil, "day")
		require.ErrorIs(t, err, want)
	}
}

// TestReadInOtherEngine: a board cannot be read in a transaction of another engine, even if that has a board of the same name.
func TestReadInOtherEngine(t *testing.T) {
	g, b := filled(t, "one set", false)
	other, twin := filled(t, "one set", false)
	require.NoError(t, other.e.Update(t.Context(), func(tx *engine.Tx) error {
		in := in(b, tx)
		for call, err := range map[string]error{
			"Live": errorOf(in.Live("day")), "BestRank": errorOf2(in.BestRank("day", "a")), "SetMeta": in.SetMeta("day", "a", nil),
			"SubmitFunc": errorOf(in.SubmitFunc(board.Submission{Member: "a", At: g.clock.Now()}, func(board.Row, bool) (board.Score, bool) { return board.Ints(1), true })),
		} {
			require.ErrorIs(t, err, engine.ErrReserved, call)
			require.ErrorContains(t, err, "another engine", call)
		}
		return nil
	}, readKeysOfAll(t, twin, "day", g.clock.Now())...))
}

// TestChangeInView: reads in a View of a ranking in a transaction see what the transaction has changed in it.
func TestChangeInView(t *testing.T) {
	g, b := filled(t, "parts", false)
	require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
		live := must(in(b, tx).Live("day"))
		return live.View(t.Context(), func(still board.Ranking) error {
			for i := range 30 {
				m := readMembers[i%12]
				_, err := in(b, tx).Submit(board.Submission{Member: m, Score: board.Ints(int64(i * 5 % 13)), At: g.clock.Now()})
				require.NoError(t, err)
				require.Equal(t, must(live.Places(t.Context(), 6, 8)), must(still.Places(t.Context(), 6, 8)))
			}
			return nil
		})
	}, readKeysOfAll(t, b, "day", g.clock.Now())...))
}
