package boards

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/bench"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/subject"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/engine"
)

// TestAllSystemsShowTheSamePlayers makes the same submissions in each, and asks for cards of a player, and of one that nobody inserted.
func TestAllSystemsShowTheSamePlayers(t *testing.T) {
	const n, made = 300, 2 * together
	program, err := redis.Find()
	require.NoError(t, err)
	players := workload.NewStream(made, func(i int) int { return i % 7 }, func() float64 { return 3 })
	nobody := workload.NewStream(1, func(int) int { return n }, func() float64 { return 1 })
	for _, name := range inMemory {
		if program == "" && (name == bench.Redis || name == pipelined) {
			continue
		}
		l := subject.LevelNamed("memory")
		s, err := open(t.Context(), bench.Options{System: name, Redis: program, Dir: t.TempDir()}, l)
		require.NoError(t, err)
		require.NoError(t, fill(n, 1, s.put))
		c, err := s.client()
		require.NoError(t, err)
		size := 1
		if many(name) {
			size = together
		}
		for lo := 0; lo < made; lo += size {
			require.NoError(t, c.submit(&players, lo, lo+size))
		}
		if has(l, name, kinds[2]) {
			require.NoError(t, c.card(players.Key(0).Name, board.Ordinal), name)
			assert.ErrorContains(t, c.card(nobody.Key(0).Name, board.Ordinal), "is not ranked", name)
		}
		counts, err := s.Counts()
		require.NoError(t, err)
		assert.Equal(t, []int{n, n, n}, counts, name)
		require.NoError(t, s.Close())
	}
}

// TestTheRowsAroundAPlaceAreThoseOfTheBoard compares what peers ask for with what a card has.
func TestTheRowsAroundAPlaceAreThoseOfTheBoard(t *testing.T) {
	for _, n := range []int{1, 5, 11, 12, 40} {
		a, err := openArena("", engine.Options{}, newClock(), board.All)
		require.NoError(t, err)
		require.NoError(t, fill(n, 1, a.put))
		all, err := a.Live(t.Context(), "all")
		require.NoError(t, err)
		rows, err := all.Top(t.Context(), n)
		require.NoError(t, err)
		for place, row := range rows {
			card, err := all.Card(t.Context(), row.Member, top, each)
			require.NoError(t, err)
			lo, hi := around(place, n)
			assert.Equal(t, rows[lo:hi], card.Around)
		}
		require.NoError(t, a.close())
	}
}
