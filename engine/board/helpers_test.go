package board

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/persist"
)

// noon is the time by the clock of the tests' engines: a Friday, in 2026-W47.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// second returns the n-th second after noon.
func second(n int) time.Time { return noon.Add(time.Duration(n) * time.Second) }

func clock() time.Time { return noon }

// newMemory returns an engine without a disk.
func newMemory(t testing.TB) *engine.Engine {
	e, err := engine.New(engine.Options{Clock: clock})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, e.Close()) })
	return e
}

// openDurable opens an engine on a disk in memory.
func openDurable(t testing.TB, fs persist.FS) *engine.Engine {
	e, err := engine.Open("data", engine.Options{Clock: clock, FS: fs, Durability: engine.None})
	require.NoError(t, err)
	return e
}

func mustOpen(t testing.TB, e *engine.Engine, spec Spec) *Board {
	b, err := Open(e, spec)
	require.NoError(t, err)
	return b
}

func mustSubmit(t testing.TB, b *Board, member string, score float64, at time.Time) Change {
	c, err := b.Submit(Submission{Member: member, Score: score, At: at})
	require.NoError(t, err)
	return c
}

// all returns the ranking of all time.
func all(t testing.TB, b *Board) Ranking {
	r, err := b.Live(All)
	require.NoError(t, err)
	return r
}

// text writes rows as "ada15 bob7", and checks that their ranks have no gaps.
func text(t testing.TB, rows []Row) string {
	words := make([]string, len(rows))
	for i, row := range rows {
		words[i] = fmt.Sprintf("%s%v", row.Member, row.Score)
		require.Equal(t, rows[0].Rank+i, row.Rank)
	}
	return strings.Join(words, " ")
}

// top writes the n best of a ranking.
func top(t testing.TB, r Ranking, n int) string {
	rows, err := r.Top(n)
	require.NoError(t, err)
	if len(rows) > 0 {
		require.Equal(t, 1, rows[0].Rank)
	}
	return text(t, rows)
}

var (
	ops    = []Op{Best, Sum, Last}
	orders = []Order{Desc, Asc}
	ties   = []Ties{FirstToReach, LastToReach, ByMember}
)

// everySpec calls fn with every operator, order and tie rule.
func everySpec(fn func(Spec)) {
	for _, op := range ops {
		for _, order := range orders {
			for _, tie := range ties {
				fn(Spec{Name: fmt.Sprintf("%s %s %s", op, order, tie), Op: op, Order: order, Ties: tie})
			}
		}
	}
}
