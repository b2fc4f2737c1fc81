package local

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// million returns a ranking of a million members, about ten for each score, without an engine, and their names in random order.
func million(b *testing.B) (board.Ranking, []string) {
	const n = 1_000_000
	r, err := rules.New(nil, "", "")
	require.NoError(b, err)
	set, err := zset.NewIntBuilder(zset.Options{TieWidth: r.TieWidth(), ScoreTie: r.ScoreTie(), DenseRanks: true})
	require.NoError(b, err)
	rng, names := rand.New(rand.NewPCG(1, 2)), make([]string, n)
	var tie []byte
	for i := range names {
		names[i] = fmt.Sprintf("player:%013d", i)
		var score int64
		score, tie = r.Encode(tie[:0], rules.Entry{Score: rules.Ints(rng.Int64N(n / 10)), Reached: int64(i), Arrival: uint64(i)})
		require.NoError(b, set.AddTied([]byte(names[i]), tie, score))
	}
	rng.Shuffle(n, func(i, j int) { names[i], names[j] = names[j], names[i] })
	return rankingFrom(heldSource{set.Set().View(), nil}, r, worldKey, func() board.Info { return worldInfo }), names
}

// askMembers measures a question about one member after another, in each mode.
func askMembers(b *testing.B, ask func(r board.Ranking, member string) (ranked bool, err error)) {
	r, names := million(b)
	for _, mode := range allModes {
		b.Run(fmt.Sprintf("len=1M/mode=%v", mode), func(b *testing.B) {
			r := r.By(mode)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if ranked, err := ask(r, names[i%len(names)]); err != nil || !ranked {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

// BenchmarkCard: the first 10, a member's own row and the 5 around it on each side.
func BenchmarkCard(b *testing.B) {
	askMembers(b, func(r board.Ranking, member string) (bool, error) {
		card, err := r.Card(b.Context(), member, 10, 5)
		return card.Ranked, err
	})
}

// BenchmarkPage: 100 rows from a place in the middle.
func BenchmarkPage(b *testing.B) {
	r, names := million(b)
	for _, mode := range allModes {
		b.Run(fmt.Sprintf("len=1M/mode=%v/rows=100", mode), func(b *testing.B) {
			r := r.By(mode)
			rows, at, err := r.Page(b.Context(), board.Cursor{}, len(names)/2)
			require.NoError(b, err)
			require.Len(b, rows, len(names)/2)
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if _, at, err = r.Page(b.Context(), at, 100); err != nil {
					b.Fatal(err)
				}
				if at.Done() {
					at = board.Cursor{}
				}
			}
		})
	}
}

// BenchmarkRank: one member's row.
func BenchmarkRank(b *testing.B) {
	askMembers(b, func(r board.Ranking, member string) (bool, error) {
		_, ok, err := r.Rank(b.Context(), member)
		return ok, err
	})
}
