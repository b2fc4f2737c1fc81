package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
)

// boardOf returns a world in which members a, b, c and so on have reached these scores in this order.
func boardOf(t testing.TB, columns []board.Column, ties board.Ties, scores ...board.Score) *world {
	w := newWorld(t, 1, columns, ties, false)
	for i, score := range scores {
		w.put(t, string(rune('a'+i)), score)
	}
	return w
}

// text returns rows as "rank member, ".
func text(rows []board.Row) (s string) {
	for _, row := range rows {
		s += fmt.Sprintf("%d %s, ", row.Rank, row.Member)
	}
	return s
}

func ints(values ...int64) (scores []board.Score) {
	for _, v := range values {
		scores = append(scores, rules.Ints(v))
	}
	return scores
}

// TestBugsOfOthers checks bugs of other leaderboards. The name of a row says in which project.
func TestBugsOfOthers(t *testing.T) {
	five := boardOf(t, nil, rules.FirstToReach, ints(50, 40, 40, 30, 20)...)
	around := func(w *world, mode board.Mode, member string, each int) string {
		rows, _, err := w.By(mode).Around(t.Context(), member, each)
		require.NoError(t, err)
		return text(rows)
	}
	page := func(mode board.Mode) (s string) {
		for at := (board.Cursor{}); !at.Done(); {
			rows, next, err := five.By(mode).Page(t.Context(), at, 2)
			require.NoError(t, err)
			s, at = s+text(rows)+"| ", next
		}
		return s
	}
	for _, row := range []struct{ name, got, want string }{
		{"around at rank 1: nakama #607", around(five, board.Ordinal, "a", 1), "1 a, 2 b, 3 c, "},
		{"around at rank 2: RAWeb #625", around(five, board.Ordinal, "b", 1), "1 a, 2 b, 3 c, "},
		{"around at the last", around(five, board.Ordinal, "e", 1), "3 c, 4 d, 5 e, "},
		{"around on a board that is smaller", around(five, board.Ordinal, "c", 9), "1 a, 2 b, 3 c, 4 d, 5 e, "},
		{"around an absent member: nakama #480", around(five, board.Ordinal, "x", 1), ""},
		{"around among equals, ranks of the mode", around(five, board.Competition, "c", 1), "2 b, 2 c, 4 d, "},
		{"equal scores across the edge of a page: commit-history #60", page(board.Competition), "1 a, 2 b, | 2 c, 4 d, | 5 e, | "},
		{"ranks of equals across the edge of a page: nakama #2353", page(board.Modified), "1 a, 3 b, | 3 c, 4 d, | 5 e, | "},
		{"dense ranks across the edge of a page: agoragames #70", page(board.Dense), "1 a, 2 b, | 2 c, 3 d, | 4 e, | "},
		{"score 0 and negative: agoragames #53", text(all(t, boardOf(t, nil, "", ints(-1, 0, 1, -5)...))), "1 c, 2 b, 3 a, 4 d, "},
		{"the least int64, descending: FDB #776", text(all(t, boardOf(t, nil, "", ints(math.MinInt64, 0, math.MinInt64+1, math.MaxInt64)...))),
			"1 d, 2 b, 3 c, 4 a, "},
		{"2^53 and 2^53+1 are not equal: redis #2835", text(all(t, boardOf(t, nil, "", ints(1<<53, 1<<53+1, 1<<33)...).By(board.Competition))),
			"1 b, 2 a, 3 c, "},
		{"first to reach wins, high is better: redis #3141", text(all(t, boardOf(t, nil, rules.FirstToReach, ints(7, 7, 7)...).By(board.Dense))), "1 a, 1 b, 1 c, "},
	} {
		require.Equal(t, row.want, row.got, row.name)
	}
	rows, next, err := five.Page(t.Context(), board.Cursor{}, 5)
	require.NoError(t, err)
	require.True(t, next.Done() && len(rows) == 5, "a page that ends with the last row says so: agoragames #23")
	rows, next, err = five.Page(t.Context(), next, 5)
	require.NoError(t, err)
	require.True(t, next.Done() && len(rows) == 0, "a page past the end is empty, not the last page again: agoragames #69")
}

// all returns all rows.
func all(t testing.TB, r board.Ranking) []board.Row {
	rows, err := r.Top(t.Context(), math.MaxInt)
	require.NoError(t, err)
	return rows
}

// TestExtremes checks Gap, Histogram and Count where differences do not fit in an int64 or a float64.
func TestExtremes(t *testing.T) {
	w := boardOf(t, nil, "", ints(math.MaxInt64, 0, math.MinInt64)...)
	gap, ok, err := w.Gap(t.Context(), "c", 2)
	require.NoError(t, err)
	require.True(t, ok && gap.By == rules.Int(math.MaxInt64) && gap.To.Member == "a", "limited to the range")
	bins, err := w.Histogram(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, []board.Bin{{Best: rules.Int(math.MaxInt64), Worst: rules.Int(0), Members: 2}, {Best: rules.Int(0), Worst: rules.Int(math.MinInt64), Members: 1}}, bins)
	bins, err = w.Histogram(t.Context(), board.MaxBins)
	require.NoError(t, err)
	require.Len(t, bins, board.MaxBins)

	floats := []board.Column{{Kind: rules.Float64, Order: rules.Asc}}
	w = boardOf(t, floats, "", rules.Floats(-math.MaxFloat64), rules.Floats(0), rules.Floats(math.MaxFloat64))
	gap, _, err = w.Gap(t.Context(), "c", 2)
	require.NoError(t, err)
	require.Equal(t, rules.Float(math.MaxFloat64), gap.By)
	bins, err = w.Histogram(t.Context(), 2)
	require.NoError(t, err)
	require.Equal(t, []board.Bin{{Best: rules.Float(-math.MaxFloat64), Worst: rules.Float(0), Members: 2}, {Best: rules.Float(0), Worst: rules.Float(math.MaxFloat64), Members: 1}}, bins)

	last := []board.Column{{Order: rules.Desc}, {Order: rules.Desc}}
	w = boardOf(t, last, rules.ByMember, rules.Ints(math.MinInt64, math.MinInt64), rules.Ints(math.MinInt64, 0))
	n, err := w.Count(t.Context(), &w.sorted(board.Ordinal)[1].Score, nil)
	require.NoError(t, err)
	require.Equal(t, 1, n, "no score comes after the worst possible one")
	rank, err := w.By(board.Modified).RankOf(t.Context(), rules.Ints(math.MinInt64, math.MinInt64))
	require.NoError(t, err)
	require.Equal(t, 3, rank)
}

// TestBadQuestions: reads with invalid arguments return the right error, and do not panic.
func TestBadQuestions(t *testing.T) {
	most := rules.Int(100)
	w := boardOf(t, []board.Column{{Max: &most}}, "", ints(1, 2, 3)...)
	calls := 0
	refused := func(want error, err error) {
		require.ErrorIs(t, err, want)
		calls++
	}
	refusedScore := func(want error, s board.Score) {
		_, err := w.RankOf(t.Context(), s)
		refused(want, err)
		_, err = w.AroundScore(t.Context(), s, 1)
		refused(want, err)
		_, err = w.Count(t.Context(), &s, nil)
		refused(want, err)
		_, err = w.Between(t.Context(), nil, &s, 0, 1)
		refused(want, err)
	}
	refusedScore(rules.ErrColumns, rules.Ints(1, 2))
	refusedScore(rules.ErrColumns, board.Score{})
	refusedScore(rules.ErrKind, rules.Floats(1.5))
	refusedScore(rules.ErrNotFinite, rules.Floats(math.NaN()))
	refusedScore(rules.ErrBounds, rules.Ints(101))
	for _, n := range []int{-1, math.MinInt} {
		_, err := w.Top(t.Context(), n)
		refused(board.ErrCount, err)
		_, _, err = w.Around(t.Context(), "a", n)
		refused(board.ErrCount, err)
		_, err = w.AroundScore(t.Context(), rules.Ints(1), n)
		refused(board.ErrCount, err)
		_, err = w.Between(t.Context(), nil, nil, n, 1)
		refused(board.ErrCount, err)
		_, err = w.Histogram(t.Context(), n)
		refused(board.ErrCount, err)
		_, _, err = w.Gap(t.Context(), "a", n)
		refused(board.ErrCount, err)
		_, _, err = w.Page(t.Context(), board.Cursor{}, n)
		refused(board.ErrCount, err)
		_, err = w.Card(t.Context(), "a", n, 0)
		refused(board.ErrCount, err)
		_, err = w.Card(t.Context(), "a", 0, n)
		refused(board.ErrCount, err)
	}
	_, err := w.Histogram(t.Context(), board.MaxBins+1)
	refused(board.ErrCount, err)
	for _, mode := range []board.Mode{-1, board.Dense + 1} {
		_, err := w.By(mode).Len(t.Context())
		refused(board.ErrMode, err)
		refused(board.ErrMode, w.By(mode).View(t.Context(), func(board.Ranking) error { return nil }))
		_, err = w.By(mode).Pin(context.Background())
		refused(board.ErrMode, err)
	}
	_, err = board.ParseMode("best")
	refused(board.ErrMode, err)
	t.Logf("%d calls refused", calls)
}

// TestModes: each mode has a name, which ParseMode reads.
func TestModes(t *testing.T) {
	for i, name := range []string{"ordinal", "competition", "modified", "dense"} {
		mode, err := board.ParseMode(name)
		require.NoError(t, err)
		require.Equal(t, board.Mode(i), mode)
		require.Equal(t, name, mode.String())
	}
	require.Equal(t, "Mode(9)", board.Mode(9).String())
}

// TestViewIsOver: the Ranking of a View returns ErrViewDone after the View, also if fn has returned an error.
func TestViewIsOver(t *testing.T) {
	w := boardOf(t, nil, "", ints(1, 2)...)
	failed := errors.New("failed")
	var escaped board.Ranking
	require.ErrorIs(t, w.By(board.Dense).View(t.Context(), func(r board.Ranking) error {
		escaped = r
		n, err := r.Len(t.Context())
		require.NoError(t, err)
		require.Equal(t, 2, n)
		require.Equal(t, board.Dense, infoOf(r).Mode)
		require.NoError(t, r.View(t.Context(), func(board.Ranking) error { return nil }), "a View in a View")
		require.Equal(t, "1 b, 2 a, ", text(all(t, mustPin(t, r))))
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = r.Pin(cancelled)
		require.ErrorIs(t, err, context.Canceled)
		return failed
	}), failed)
	_, err := escaped.Len(t.Context())
	require.ErrorIs(t, err, board.ErrViewDone)
	_, err = escaped.Pin(t.Context())
	require.ErrorIs(t, err, board.ErrViewDone)
	for _, err := range escaped.All(t.Context()) {
		require.ErrorIs(t, err, board.ErrViewDone)
	}
}

// brokenSource is a source whose reads fail.
type brokenSource struct{ err error }

func (s brokenSource) Open(context.Context, *ranking.Opened) error { return s.err }

func (s brokenSource) Close(*ranking.Opened) {}

func (s brokenSource) Copy(context.Context) (c ranking.Copied, err error) {
	return c, s.err
}

// TestErrorsOfTheSource: every call returns the error of its source, or of the metadata that it reads, and no rows.
func TestErrorsOfTheSource(t *testing.T) {
	broken := errors.New("broken")
	w := boardOf(t, nil, "", ints(1, 2, 3)...)
	noMeta := func(context.Context, string) ([]byte, error) { return nil, broken }
	disk := rankingFrom(brokenSource{broken}, w.rules, worldKey, func() board.Info { return infoOf(w) })
	meta := rankingFrom(heldSource{w.set.View(), noMeta}, w.rules, worldKey, func() board.Info { return infoOf(w) })
	for name, call := range calls() {
		for i, r := range []board.Ranking{disk, meta} {
			if some, err := call(r); i == 0 || readsMeta[name] {
				require.ErrorIs(t, err, broken, name)
				require.False(t, some, name)
			} else {
				require.NoError(t, err, name)
			}
		}
	}
	_, err := w.Arrows(t.Context(), disk, "a")
	require.ErrorIs(t, err, broken)
	_, err = w.Arrows(t.Context(), meta, "a")
	require.NoError(t, err, "arrows need no metadata")
}

// readsMeta are the calls that read metadata.
var readsMeta = map[string]bool{"Rank": true, "At": true, "Top": true, "AppendTop": true, "AppendPlaces": true, "AppendAround": true, "Places": true, "Around": true, "AroundScore": true, "Between": true,
	"Among": true, "AtPercentile": true, "Gap": true, "Page": true, "All": true, "Card": true}

// calls are all methods of Ranking that read. some says whether the result is not empty.
func calls() map[string]func(r board.Ranking) (some bool, err error) {
	ctx := context.Background()
	return map[string]func(r board.Ranking) (bool, error){
		"Len":          func(r board.Ranking) (bool, error) { n, err := r.Len(ctx); return n > 0, err },
		"Rank":         func(r board.Ranking) (bool, error) { _, ok, err := r.Rank(ctx, "a"); return ok, err },
		"Score":        func(r board.Ranking) (bool, error) { _, ok, err := r.Score(ctx, "a"); return ok, err },
		"At":           func(r board.Ranking) (bool, error) { _, ok, err := r.At(ctx, 1); return ok, err },
		"Top":          func(r board.Ranking) (bool, error) { return some(r.Top(ctx, 2)) },
		"AppendTop":    func(r board.Ranking) (bool, error) { return some(r.AppendTop(ctx, nil, 2)) },
		"AppendPlaces": func(r board.Ranking) (bool, error) { return some(r.AppendPlaces(ctx, nil, 1, 2)) },
		"AppendAround": func(r board.Ranking) (bool, error) {
			rows, ok, err := r.AppendAround(ctx, nil, "a", 2)
			return ok || rows != nil, err
		},
		"Places": func(r board.Ranking) (bool, error) { return some(r.Places(ctx, 1, 2)) },
		"Around": func(r board.Ranking) (bool, error) {
			rows, ok, err := r.Around(ctx, "a", 2)
			return ok || rows != nil, err
		},
		"AroundScore":  func(r board.Ranking) (bool, error) { return some(r.AroundScore(ctx, rules.Ints(2), 2)) },
		"Between":      func(r board.Ranking) (bool, error) { return some(r.Between(ctx, nil, nil, 0, 2)) },
		"Count":        func(r board.Ranking) (bool, error) { n, err := r.Count(ctx, nil, nil); return n > 0, err },
		"RankOf":       func(r board.Ranking) (bool, error) { n, err := r.RankOf(ctx, rules.Ints(2)); return n > 0, err },
		"Among":        func(r board.Ranking) (bool, error) { return some(r.Among(ctx, "a")) },
		"Percentile":   func(r board.Ranking) (bool, error) { _, ok, err := r.Percentile(ctx, "a"); return ok, err },
		"AtPercentile": func(r board.Ranking) (bool, error) { _, ok, err := r.AtPercentile(ctx, 50); return ok, err },
		"Histogram":    func(r board.Ranking) (bool, error) { return some(r.Histogram(ctx, 2)) },
		"Gap": func(r board.Ranking) (bool, error) {
			gap, ok, err := r.Gap(ctx, "a", 1)
			return ok || gap.To.Member != "", err
		},
		"Page": func(r board.Ranking) (bool, error) {
			rows, next, err := r.Page(ctx, board.Cursor{}, 2)
			return rows != nil || next != board.Cursor{}, err
		},
		"Card": func(r board.Ranking) (bool, error) {
			card, err := r.Card(ctx, "a", 1, 1)
			return card.Ranked || card.Top != nil, err
		},
		"Arrows": func(r board.Ranking) (bool, error) { return some(r.Arrows(ctx, r, "a")) },
		"View": func(r board.Ranking) (bool, error) {
			return false, r.View(ctx, func(r board.Ranking) error { _, err := r.Len(ctx); return err })
		},
		"Pin": func(r board.Ranking) (bool, error) {
			pinned, err := r.Pin(ctx)
			return pinned != nil, err
		},
		"All": func(r board.Ranking) (some bool, err error) {
			for row, e := range r.All(ctx) {
				some, err = row.Member != "", e
			}
			return some, err
		},
	}
}

// some reports whether a call has returned rows or the like.
func some[T any](all []T, err error) (bool, error) { return all != nil, err }
