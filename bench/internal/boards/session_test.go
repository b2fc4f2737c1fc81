package boards

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/bench/internal/figure"
	"github.com/zrankdb/zrank/bench/internal/redis"
	"github.com/zrankdb/zrank/bench/internal/workload"
	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board"
)

func TestEverySystemAtEveryLevel(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	for _, l := range Levels {
		for _, system := range l.Systems {
			if OfRedis(system) && program == "" {
				continue
			}
			t.Run(l.Name+"/"+system, func(t *testing.T) {
				o := Options{Level: l.Name, System: system, Dir: t.TempDir(), Server: program, N: 1500, Seed: 1, For: 10 * time.Millisecond}
				s, err := Start(t.Context(), o)
				require.NoError(t, err)
				for range l.Turns() {
					require.NoError(t, s.Turn())
				}
				lines, err := s.End()
				require.NoError(t, err)
				want := 0
				for _, k := range Kinds {
					for _, n := range Callers {
						if l.Has(system, k) {
							want++
							assert.Positive(t, lines[l.Line(k, n)][figure.Rate], l.Line(k, n))
						}
					}
				}
				assert.Len(t, lines, want)
				t.Logf("%d figures", want)
			})
		}
	}
}

// scores returns what a system has of a player in each window.
func scores(t *testing.T, s system, k workload.Key) (list []float64) {
	switch x := s.(type) {
	case zrank:
		for _, w := range x.Spec().Windows {
			r, err := x.Live(w.Name)
			require.NoError(t, err)
			score, ok, err := r.Score(k.Name)
			require.NoError(t, err)
			require.True(t, ok)
			list = append(list, float64(score.Int(0)))
		}
	case sets:
		require.NoError(t, x.View(keys, func(tx *engine.Tx) error {
			for _, key := range keys {
				set, err := tx.Set(key)
				require.NoError(t, err)
				score, ok := set.Score(k.Raw)
				require.True(t, ok)
				list = append(list, score)
			}
			return nil
		}))
	case *bytedance:
		for _, set := range x.sets {
			score, ok := set.Score(k.Name)
			require.True(t, ok)
			list = append(list, score)
		}
	}
	return list
}

// TestAllSystemsEndWithTheSameScores makes the same submissions in each and compares one player's scores.
func TestAllSystemsEndWithTheSameScores(t *testing.T) {
	const n, made = 300, 2 * together
	players := workload.NewStream(made, func(i int) int { return i % 7 }, func() float64 { return 3 })
	var want []float64
	l, err := LevelNamed("memory")
	require.NoError(t, err)
	for _, system := range l.Systems {
		if OfRedis(system) {
			continue
		}
		s, err := open(t.Context(), Options{System: system}, l)
		require.NoError(t, err)
		require.NoError(t, Fill(n, 1, s.put))
		c, err := s.caller()
		require.NoError(t, err)
		for i := range made {
			require.NoError(t, c.submit(players.Key(i), players.Score(i)))
			if (i+1)%c.depth() == 0 {
				require.NoError(t, c.answered())
			}
		}
		got := scores(t, s, players.Key(0))
		if want == nil {
			want = got
		}
		assert.Equal(t, want, got, system)
		found, err := s.players()
		require.NoError(t, err)
		assert.Equal(t, []int{n, n, n}, found, system)
		require.NoError(t, s.Close())
	}
	require.Len(t, want, len(Windows))
	t.Logf("%v points in each window", want)
}

func TestWhatThereIsNot(t *testing.T) {
	_, err := Start(t.Context(), Options{Level: "often"})
	assert.ErrorContains(t, err, `no level "often"`)
	_, err = Start(t.Context(), Options{Level: "memory", System: "valkey"})
	assert.ErrorContains(t, err, `no system "valkey"`)
}

// TestPlayersThatAreNotThereAreSeen has every system show a card of a player that nobody put in.
func TestPlayersThatAreNotThereAreSeen(t *testing.T) {
	program, err := redis.Find()
	require.NoError(t, err)
	l, err := LevelNamed("memory")
	require.NoError(t, err)
	nobody := workload.NewStream(1, func(int) int { return 77 }, func() float64 { return 1 })
	for _, system := range []string{Zrank, Bytedance, Redis} {
		if OfRedis(system) && program == "" {
			continue
		}
		s, err := open(t.Context(), Options{System: system, Server: program, Dir: t.TempDir()}, l)
		require.NoError(t, err)
		require.NoError(t, Fill(20, 1, s.put))
		c, err := s.caller()
		require.NoError(t, err)
		assert.ErrorContains(t, c.card(nobody.Key(0), board.Ordinal), "is not ranked", system)
		require.NoError(t, s.Close())
	}
}

// TestTheRowsAroundAPlaceAreThoseOfTheBoard compares what peers ask for with what a card has.
func TestTheRowsAroundAPlaceAreThoseOfTheBoard(t *testing.T) {
	compared := 0
	for _, n := range []int{1, 5, 11, 12, 40} {
		a, err := Open("", Levels[0].zrank, NewClock(), board.All)
		require.NoError(t, err)
		require.NoError(t, Fill(n, 1, a.Apply))
		all, err := a.Live("all")
		require.NoError(t, err)
		rows, err := all.Top(n)
		require.NoError(t, err)
		for place, row := range rows {
			card, err := all.Card(row.Member, top, each)
			require.NoError(t, err)
			lo, hi := around(place, n)
			assert.Equal(t, rows[lo:hi], card.Around)
			compared++
		}
		require.NoError(t, a.Close())
	}
	t.Logf("%d cards", compared)
}
