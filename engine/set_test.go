package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/invariants"
	"github.com/zrankdb/zrank/zset"
)

// heavy writes a script of all operations on a few sets, on both sides of the listpack's end, of whose transactions half fail
// or panic, each followed by a look at everything.
func (g *generator) heavy(n int) []string {
	var lines []string
	for range n {
		line := "update a b t"
		for range 1 + g.rng.IntN(6) {
			line += " | " + g.heavyOp(g.pick("a", "a", "b", "t"))
		}
		switch g.rng.IntN(4) {
		case 0:
			lines = append(lines, line+" | fail", "check")
		case 1:
			lines = append(lines, line+" | panic", "check")
		default:
			lines = append(lines, line)
		}
		if g.rng.IntN(8) == 0 {
			lines = append(lines, g.pick("snapshot", "reopen", "glance", "crash 50", "check"))
		}
	}
	return append(lines, "check", "reopen")
}

// heavyOp is an operation on a set of up to some 400 members; t has ties.
func (g *generator) heavyOp(key string) string {
	from, lo := g.rng.IntN(300), g.rng.IntN(300)-20
	switch p := g.rng.IntN(20); {
	case p < 3 && key == "t":
		return fmt.Sprintf("tied t m%d %016x %s", from, g.rng.IntN(3), g.score())
	case p < 3:
		return fmt.Sprintf("many %s %d %d", key, from, from+g.rng.IntN(200))
	case p < 5:
		return fmt.Sprintf("cut %s %d %d", key, lo, lo+g.rng.IntN(150))
	case p < 6:
		return fmt.Sprintf("cut %s 0 400", key)
	case p < 7:
		return fmt.Sprintf("%s %s %d", g.pick("popmin", "popmax"), key, g.rng.IntN(150))
	case p < 8:
		return fmt.Sprintf("remove %s m%d", key, from)
	case p < 10:
		return fmt.Sprintf("%s %s m%d %s %s", g.pick("addif", "incrif"), key, from, g.score(), g.flags())
	case p < 12:
		return fmt.Sprintf("%s %s m%d %s", g.pick("add", "incr"), key, from, g.score())
	}
	return g.opIf(key)
}

// TestSetOperations runs scripts of all operations on sets, half of them rolled back, on every configuration against the
// oracle.
func TestSetOperations(t *testing.T) {
	scripts, length := 6, 120
	if testing.Short() || invariants.Enabled {
		scripts, length = 1, 40
	}
	count := map[string]int{}
	for name := range configurations {
		for seed := range uint64(scripts) {
			script := newGenerator(1000 + seed).heavy(length)
			if err := runScript(name, script); err != nil {
				small := shrink(script, func(s []string) bool { return runScript(name, s) != nil })
				t.Fatalf("%s, seed %d: %v\nsmallest script found, %d of %d lines:\n%s\n%v",
					name, seed, err, len(small), len(script), strings.Join(small, "\n"), runScript(name, small))
			}
			for _, line := range script {
				for _, part := range strings.Split(line, " | ") {
					count[strings.Fields(part)[0]]++
				}
			}
		}
	}
	t.Logf("%d scripts on each of %d configurations: %v", scripts, len(configurations), count)
	for _, kind := range []string{"addif", "incrif", "cut", "cutscore", "popmin", "popmax", "tied", "many", "expect", "absent", "fail", "panic"} {
		require.Positive(t, count[kind], kind)
	}
	rolledBack := count["fail"] + count["panic"]
	require.InDelta(t, 0.5, float64(rolledBack)/float64(count["update"]), 0.1, "about half are rolled back")
}

// TestRemoveRange: what is asked for goes, in both encodings, in one set and in time that grows with the range only.
func TestRemoveRange(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		n := 50_000
		if invariants.Enabled {
			n = 300 // each change is checked, in time that grows with n
		}
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			for i := range n {
				add(t, tx, "a", fmt.Sprintf("m%05d", i), float64(i))
			}
		})
		failed := e.Update([]string{"a"}, func(tx *Tx) error {
			s := named(t, tx, "a")
			removed, err := s.RemoveRange(10, n-10)
			require.NoError(t, err)
			require.Equal(t, n-20, removed)
			require.Equal(t, 20, s.Len())
			removed, err = s.RemoveRange(-5, n)
			require.NoError(t, err)
			require.Equal(t, 20, removed)
			return errScript
		})
		require.Equal(t, errScript, failed)
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			s := named(t, tx, "a")
			require.Equal(t, n, s.Len())
			before := s.Version()
			removed, err := s.RemoveRange(s.ScoreInterval(zset.Bound{Score: 100}, zset.Bound{Score: float64(n), Exclusive: true}))
			require.NoError(t, err)
			require.Equal(t, n-100, removed)
			require.Equal(t, before+uint64(n-100), s.Version())
			for _, empty := range [][2]int{{5, 5}, {7, 3}, {-9, 0}, {100, 200}} {
				removed, err = s.RemoveRange(empty[0], empty[1])
				require.NoError(t, err)
				require.Zero(t, removed)
			}
		})
		mustView(t, e, []string{"a"}, func(tx *Tx) {
			s := named(t, tx, "a")
			require.Equal(t, 100, s.Len())
			score, ok := s.Score([]byte("m00099"))
			require.True(t, ok)
			require.Equal(t, 99.0, score)
		})
	})
}

// TestPoppedAreCopies: what a pop hands out is the caller's, whatever the set does next and whatever the caller does to it.
func TestPoppedAreCopies(t *testing.T) {
	onBoth(t, func(t *testing.T, e *Engine) {
		mustUpdate(t, e, []string{"a"}, func(tx *Tx) {
			s, err := tx.SetTied("a", 8)
			require.NoError(t, err)
			for i := range 200 {
				_, err := s.AddTied(fmt.Appendf(nil, "m%03d", i), []byte("12345678"), float64(i))
				require.NoError(t, err)
			}
		})
		before := stateText(t, e)
		require.Equal(t, errScript, e.Update([]string{"a"}, func(tx *Tx) error {
			s := named(t, tx, "a")
			low, err := s.PopMin(150)
			require.NoError(t, err)
			high, err := s.PopMax(50)
			require.NoError(t, err)
			for i, popped := range append(low, high...) {
				want := i
				if i >= 150 {
					want = 349 - i
				}
				require.Equal(t, fmt.Sprintf("m%03d", want), string(popped.Member))
				clear(popped.Member)
				clear(popped.Tie)
			}
			return errScript
		}))
		require.Equal(t, before, stateText(t, e), "the rollback does not hang on what the caller was given")
	})
}
