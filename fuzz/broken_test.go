package fuzz

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/fuzz/internal/apply"
	"github.com/zrankdb/zrank/fuzz/internal/machine"
	"github.com/zrankdb/zrank/fuzz/internal/oracle"
	"github.com/zrankdb/zrank/fuzz/internal/script"
	"github.com/zrankdb/zrank/fuzz/internal/structures"
	"github.com/zrankdb/zrank/zset"
)

// forgetful is a set with a bug: PopMin replies but removes nothing if there are more than n members.
type forgetful struct {
	structures.BareSet
	n int
}

func (f forgetful) PopMin(n int) ([]zset.Entry, error) {
	if f.Len() > f.n {
		return f.Append(nil, 0, n), nil
	}
	return f.BareSet.PopMin(n)
}

// TestFindsBugs runs random scripts on machines with known bugs. It expects a failure, and that shrinking leaves a few lines of it.
func TestFindsBugs(t *testing.T) {
	broken := func(wrap func(structures.BareSet) apply.Set) []machine.Config {
		fresh := func(tieWidth int) apply.Set {
			s, err := zset.New(zset.Options{TieWidth: tieWidth})
			require.NoError(t, err)
			return wrap(structures.BareSet{Set: s})
		}
		return []machine.Config{{Name: "broken", Open: func() (machine.Machine, error) { return structures.NewPlain(fresh, nil), nil }}}
	}
	for name, c := range map[string]struct {
		configs []machine.Config
		lines   int
	}{
		"pop of 129":       {broken(func(s structures.BareSet) apply.Set { return forgetful{s, 128} }), 3},
		"no rollback":      {[]machine.Config{{Name: "broken", Open: func() (machine.Machine, error) { return noRollback{structures.NewPlain(sound, nil)}, nil }}}, 3},
		"lost at a reopen": {[]machine.Config{{Name: "broken", Rates: machine.Rates("reopen", 5), Open: func() (machine.Machine, error) { return structures.NewPlain(sound, forget), nil }}}, 6},
	} {
		t.Run(name, func(t *testing.T) {
			fails := func(s []script.Op) bool { return compare(c.configs, s) != nil }
			for seed := range uint64(50) {
				if ops := script.Generate("", seed, 400); fails(ops) {
					short := script.Shrink(ops, 3000, fails)
					t.Logf("seed %d: %v\n%s", seed, compare(c.configs, short), script.Print(short))
					require.LessOrEqual(t, len(short), c.lines)
					return
				}
			}
			t.Error("not found")
		})
	}
}

// noRollback is a machine with a bug: it commits transactions that it should roll back.
type noRollback struct{ *structures.Plain }

func (n noRollback) Run(b script.Block) ([]string, error) {
	b.End = "commit"
	return n.Plain.Run(b)
}

// sound is a set without bugs.
func sound(tieWidth int) apply.Set { return oracle.NewSet[float64](tieWidth) }

// forget removes the entry with the highest score.
func forget(s apply.Set) (apply.Set, error) {
	_, err := s.PopMax(1)
	return s, err
}
