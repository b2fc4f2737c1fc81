package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/buckets"
	"github.com/zrankdb/zrank/engine"
)

// readableKinds are boards of every kind of ranking.
var readableKinds = map[string]board.Spec{
	"one set":     {Op: board.Sum, Windows: []board.Window{board.All, board.Day}, MaxMeta: 10, BestRanks: true},
	"by name":     {Op: board.Best, Ties: board.ByMember, Windows: []board.Window{board.Day}},
	"parts":       {Op: board.Last, Parts: 3, Windows: []board.Window{board.Day, board.All}, MaxMeta: 10},
	"partMembers": {Op: board.Sum, PartMembers: 2, Windows: []board.Window{board.Day}},
	"rolling":     {Op: board.Sum, Windows: []board.Window{board.Rolling("day", 3*time.Hour), board.All}, MaxMeta: 10},
	"kept":        {Op: board.LastOf, K: 2, Windows: []board.Window{board.Day}, MaxMeta: 10},
	"top":         {Op: board.Last, Top: &board.Top{N: 4, Reserve: 2}, Windows: []board.Window{board.Day, board.All}, MaxMeta: 10},
	"coarse":      {Op: board.Last, Top: &board.Top{N: 4, Reserve: 2, Segments: 3}, Windows: []board.Window{board.Day}},
}

var readMembers = []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "nobody"}

// readNotes is what reads have answered, as text.
type readNotes struct {
	strings.Builder
	coarse bool // leave out the ranks of members beyond the best, which are bounds
}

func (a *readNotes) note(call string, values ...any) {
	for i, v := range values {
		switch v := v.(type) {
		case board.Row:
			values[i] = a.row(v)
		case board.Card:
			v.Own = a.row(v.Own)
			values[i] = v
		}
	}
	fmt.Fprintf(a, "%s: %+v\n", call, values)
}

func (a *readNotes) row(row board.Row) board.Row {
	if a.coarse && row.Beyond {
		row.Rank, row.Within = 0, 0
	}
	return row
}

// everyRead returns what every read method of a ranking answers, in every mode.
func everyRead(t testing.TB, r board.Ranking, base board.Ranking, coarse bool) string {
	a := readNotes{coarse: coarse}
	a.note("Info", infoOf(r))
	best, worst := board.Ints(6), board.Ints(2)
	for _, mode := range allModes {
		r := r.By(mode)
		n, err := r.Len(t.Context())
		a.note("Len", n, err)
		for _, m := range readMembers {
			a.ofMember(r, m)
		}
		for _, place := range []int{1, 2, -1, 99} {
			row, ok, err := r.At(t.Context(), place)
			a.note("At", row, ok, err)
		}
		a.rows(r.Top(t.Context(), 3))
		a.rows(r.Places(t.Context(), 2, -2))
		a.rows(r.AppendPlaces(t.Context(), make([]board.Row, 0, 2), 1, 99))
		a.rows(r.AroundScore(t.Context(), best, 1))
		a.rows(r.Between(t.Context(), &best, &worst, 0, -1))
		n, err = r.Count(t.Context(), nil, &worst)
		a.note("Count", n, err)
		n, err = r.RankOf(t.Context(), worst)
		a.note("RankOf", n, err)
		among, err := r.Among(t.Context(), readMembers...)
		a.note("Among", among, err)
		row, ok, err := r.AtPercentile(t.Context(), 50)
		a.note("AtPercentile", row, ok, err)
		bins, err := r.Histogram(t.Context(), 3)
		a.note("Histogram", bins, err)
		page, next, err := r.Page(t.Context(), board.Cursor{}, 2)
		a.note("Page", page, next, err)
		a.rows(pageAfter(r, next))
		for row, err := range r.All(t.Context()) {
			a.note("All", row, err)
		}
		arrows, err := r.Arrows(t.Context(), base, readMembers...)
		a.note("Arrows", arrows, err)
		a.note("View", r.View(t.Context(), func(still board.Ranking) error {
			for range 2 {
				a.rows(still.Places(t.Context(), 2, 4))
			}
			return nil
		}))
		a.rows(mustPin(t, r).Top(t.Context(), 99))
	}
	return a.String()
}

func pageAfter(r board.Ranking, next board.Cursor) ([]board.Row, error) {
	page, _, err := r.Page(context.Background(), next, 99)
	return page, err
}

// rows notes rows without metadata: pinned rankings have it or not.
func (a *readNotes) rows(rows []board.Row, err error) {
	for _, row := range rows {
		row.Meta = nil
		a.note("row", row)
	}
	a.note("rows", len(rows), err)
}

// ofMember notes the reads of one member.
func (a *readNotes) ofMember(r board.Ranking, m string) {
	ctx := context.Background()
	row, ok, err := r.Rank(ctx, m)
	a.note("Rank", row, ok, err)
	score, ok, err := r.Score(ctx, m)
	a.note("Score", score, ok, err)
	around, ok, err := r.Around(ctx, m, 1)
	a.note("Around", around, ok, err)
	percentile, ok, err := r.Percentile(ctx, m)
	a.note("Percentile", percentile, ok, err)
	gap, ok, err := r.Gap(ctx, m, 2)
	a.note("Gap", gap, ok, err)
	card, err := r.Card(ctx, m, 2, 1)
	a.note("Card", card, err)
}

// readKeysOfAll returns the keys to read a window for all members, and to submit them and remove them.
func readKeysOfAll(t testing.TB, b board.Board, window string, at time.Time, periods ...string) (keys []string) {
	t.Helper()
	var err error
	for _, m := range readMembers {
		keys, err = hintsOf(b).ReadOf(t.Context(), keys, m, window, periods...)
		require.NoError(t, err)
		keys, err = hintsOf(b).Submit(t.Context(), keys, board.Submission{Member: m, Score: board.Ints(1), At: at})
		require.NoError(t, err)
		keys, err = hintsOf(b).Remove(t.Context(), keys, m)
		require.NoError(t, err)
	}
	return keys
}

// filled returns a game with a board of a kind, which has ten members.
func filled(t *testing.T, name string, durable bool) (*game, board.Board) {
	buckets.SetFull(3)
	t.Cleanup(func() { buckets.SetFull(0) })
	g := newGame(t, durable)
	spec := readableKinds[name]
	spec.Name = "arena"
	b := g.define(spec)
	for i, m := range readMembers[:10] {
		sub := board.Submission{Member: m, Score: board.Ints(int64(i * 7 % 9))}
		if spec.MaxMeta > 0 {
			sub.Meta = []byte("of " + m)
		}
		_, err := b.Submit(t.Context(), sub)
		require.NoError(t, err)
		g.jump(time.Second)
	}
	return g, b
}

// TestReadsInTx: every read of a ranking in a transaction, a View or an Update, answers what the same read answers outside, on boards of every kind.
func TestReadsInTx(t *testing.T) {
	for name := range readableKinds {
		t.Run(name, func(t *testing.T) {
			g, b := filled(t, name, false)
			outside, err := b.Live(t.Context(), "day")
			require.NoError(t, err)
			base := mustPin(t, outside)
			want := everyRead(t, outside, base, false)
			period := infoOf(outside).Period
			keys := readKeysOfAll(t, b, "day", g.clock.Now())
			read := func(tx *engine.Tx) error {
				live, err := in(b, tx).Live("day")
				require.NoError(t, err)
				require.Equal(t, want, everyRead(t, live, base, false))
				at, err := in(b, tx).At(t.Context(), "day", g.clock.Now())
				require.NoError(t, err)
				require.Equal(t, want, everyRead(t, at, live, false))
				named, err := in(b, tx).Period("day", period)
				require.NoError(t, err)
				require.Equal(t, want, everyRead(t, named, named, false))
				return nil
			}
			require.NoError(t, g.e.View(t.Context(), read, keys...))
			require.NoError(t, g.e.Update(t.Context(), read, keys...))
		})
	}
}

// TestOwnChangesInTx: reads in a transaction see what it has changed before: they answer what the same reads answer after the commit. A transaction
// that fails has changed nothing.
func TestOwnChangesInTx(t *testing.T) {
	for name := range readableKinds {
		t.Run(name, func(t *testing.T) {
			g, b := filled(t, name, true)
			outside, err := b.Live(t.Context(), "day")
			require.NoError(t, err)
			base := mustPin(t, outside)
			for seed := range uint64(fewer(40)) { // before midnight
				g.jump(17 * time.Minute)
				fail := seed%3 == 0
				before := everyRead(t, outside, base, true)
				var inside string
				inTxOf(t, g, b, func(tx *engine.Tx) error {
					rng := rand.New(rand.NewPCG(seed, 1))
					live, err := in(b, tx).Live("day")
					require.NoError(t, err)
					for range rng.IntN(5) {
						if err := changeIn(t, in(b, tx), rng, g.clock.Now()); err != nil {
							return err
						}
						_ = everyRead(t, live, base, true) // in between
					}
					inside = everyRead(t, live, base, true)
					if fail {
						return errChanged
					}
					return nil
				})
				if fail {
					inside = before
				}
				require.Equal(t, inside, everyRead(t, outside, base, true), "seed %d", seed)
			}
			g.requireSound(0, 0)
		})
	}
}

// inTxOf runs a transaction that has named all keys, or none.
func inTxOf(t *testing.T, g *game, b board.Board, fn func(tx *engine.Tx) error) {
	t.Helper()
	keys := readKeysOfAll(t, b, "day", g.clock.Now())
	if len(t.Name())%2 == 0 {
		keys = nil
	}
	if err := g.e.Update(t.Context(), fn, keys...); !errors.Is(err, errChanged) {
		require.NoError(t, err)
	}
}

// changeIn makes one random change. It returns engine.ErrRestart, and requires that there is no other error.
func changeIn(t *testing.T, in InTx, rng *rand.Rand, now time.Time) (err error) {
	sub := board.Submission{Member: readMembers[rng.IntN(11)], Score: board.Ints(int64(rng.IntN(9))), At: now}
	switch rng.IntN(5) {
	case 0:
		_, err = in.Remove(sub.Member)
	case 1:
		err = in.SetMeta("day", sub.Member, []byte(strings.Repeat("m", rng.IntN(3))))
		if errors.Is(err, board.ErrNotRanked) || errors.Is(err, board.ErrMeta) {
			return nil
		}
	case 2:
		_, err = in.SubmitFunc(sub, func(was board.Row, ranked bool) (board.Score, bool) {
			return board.Ints(int64(was.Rank % 8)), !ranked || was.Rank > 2
		})
	default:
		_, err = in.Submit(sub)
	}
	if !errors.Is(err, engine.ErrRestart) {
		require.NoError(t, err)
	}
	return err
}

// TestSubmitFuncInTx: the function gets the row of the transaction, and may change the board in it; the submission counts after that.
func TestSubmitFuncInTx(t *testing.T) {
	for name := range readableKinds {
		g, b := filled(t, name, false)
		sub := board.Submission{Member: "a", Score: board.Ints(1), At: g.clock.Now(), Once: "x"}
		keys := slices.Concat(readKeysOfAll(t, b, "day", g.clock.Now()), must(hintsOf(b).Submit(t.Context(), nil, sub)))
		require.NoError(t, g.e.Update(t.Context(), func(tx *engine.Tx) error {
			in := in(b, tx)
			first := b.Spec().Windows[0].Name
			calls := 0
			c, err := in.SubmitFunc(sub, func(was board.Row, ranked bool) (board.Score, bool) {
				calls++
				live, err := in.Live(first)
				require.NoError(t, err)
				row, ok, err := live.Rank(t.Context(), "a")
				require.NoError(t, err)
				row.Meta = nil
				require.Equal(t, row, was)
				require.Equal(t, ok, ranked)
				require.ErrorIs(t, tx.Put("board/x", nil), engine.ErrReserved)
				_, err = in.Submit(board.Submission{Member: "nobody", Score: board.Ints(8), At: sub.At})
				require.NoError(t, err)
				return board.Ints(7), true
			})
			require.NoError(t, err)
			require.False(t, c.Skipped)
			require.True(t, c.Ranked)
			c, err = in.SubmitFunc(sub, func(board.Row, bool) (board.Score, bool) { calls++; return board.Ints(1), true })
			require.NoError(t, err)
			require.True(t, c.Duplicate)
			require.Equal(t, 1, calls)
			sub.Once = ""
			c, err = in.SubmitFunc(sub, func(board.Row, bool) (board.Score, bool) { return board.Score{}, false })
			require.NoError(t, err)
			require.True(t, c.Skipped)
			_, err = in.SubmitFunc(sub, nil)
			require.NoError(t, err)
			return nil
		}, keys...))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
