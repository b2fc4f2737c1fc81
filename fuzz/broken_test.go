package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/zset"
)

// forgetful is a set with a bug: a member that is popped from more than n is forgotten only by the reply.
type forgetful struct {
	bareSet
	n int
}

func (f forgetful) PopMin(n int) ([]zset.Entry, error) {
	if f.Len() > f.n {
		return f.Append(nil, 0, n), nil
	}
	return f.bareSet.PopMin(n)
}

// TestFindsBugs breaks a layer and asks for a short script that shows it.
func TestFindsBugs(t *testing.T) {
	broken := func(wrap func(bareSet) sortedSet) []Config {
		fresh := func(tieWidth int) sortedSet {
			s, err := zset.New(zset.Options{TieWidth: tieWidth})
			require.NoError(t, err)
			return wrap(bareSet{s})
		}
		return []Config{{Name: "broken", open: func() (machine, error) { return newPlain(fresh, nil), nil }}}
	}
	for name, c := range map[string]struct {
		configs []Config
		lines   int
	}{
		"pop of 129":       {broken(func(s bareSet) sortedSet { return forgetful{s, 128} }), 3},
		"no rollback":      {[]Config{{Name: "broken", open: func() (machine, error) { return noRollback{newPlain(sound, nil)}, nil }}}, 3},
		"lost at a reopen": {[]Config{{Name: "broken", Rates: rates("reopen", 5), open: func() (machine, error) { return newPlain(sound, forget), nil }}}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			fails := func(s []Op) bool { return compare(c.configs, s) != nil }
			for seed := range uint64(50) {
				if script := Generate("", seed, 400); fails(script) {
					short := Shrink(script, 3000, fails)
					t.Logf("seed %d: %v\n%s", seed, compare(c.configs, short), Print(short))
					require.LessOrEqual(t, len(short), c.lines)
					return
				}
			}
			t.Error("not found")
		})
	}
}

// noRollback commits what it should roll back.
type noRollback struct{ *plain }

func (n noRollback) run(b block) ([]string, error) {
	b.end = "commit"
	return n.plain.run(b)
}

// sound is a set without bugs.
func sound(tieWidth int) sortedSet { return newModelSet[float64](tieWidth) }

// forget loses the entry with the highest score.
func forget(s sortedSet) (sortedSet, error) {
	_, err := s.PopMax(1)
	return s, err
}
