package board

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/engine"
	"github.com/zrankdb/zrank/engine/board/internal/buckets"
)

// TestStepsAfterTransactions: Keys makes the steps that submissions in callers' transactions have made due: heads stay short, and buckets.
func TestStepsAfterTransactions(t *testing.T) {
	g := newGame(t, false)
	b := g.define(Spec{Name: "arena", Op: Last, Top: &Top{N: 10, Reserve: 5}})
	p := g.define(Spec{Name: "parts", Op: Last, PartMembers: 100})
	for i := range 3000 {
		sub := Submission{Member: fmt.Sprint("m", i), Score: Ints(int64(i)), At: g.clock.Now()}
		keys, err := b.Keys(nil, sub)
		require.NoError(t, err)
		keys, err = p.Keys(keys, sub)
		require.NoError(t, err)
		require.NoError(t, g.e.Update(keys, func(tx *engine.Tx) error {
			if _, err := b.In(tx).Apply(sub); err != nil {
				return err
			}
			_, err := p.In(tx).Apply(sub)
			return err
		}))
	}
	sizes := func(b *Board) (sizes []int) {
		st := b.core().State()
		keys := st.Timelines[0].RankingKeys("all")
		require.NoError(t, g.e.View(keys, func(tx *engine.Tx) error {
			for _, key := range keys {
				set, err := tx.IntSet(key, st.Form)
				if err != nil {
					return err
				}
				sizes = append(sizes, set.Len())
			}
			return nil
		}))
		return sizes
	}
	head, tails := sizes(b)[0], sizes(b)[1:]
	require.LessOrEqual(t, head, 10+5+1)
	require.LessOrEqual(t, slices.Max(tails), 2*buckets.Full())
	require.Len(t, sizes(p), 3000/100)
}
