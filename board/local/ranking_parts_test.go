package local

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/board"
	"github.com/zrankdb/zrank/board/internal/ranking"
	"github.com/zrankdb/zrank/board/rules"
	"github.com/zrankdb/zrank/zset"
)

// TestEveryReadOfParts makes every read of rankings in 1, 2, 5 and 64 parts, and compares each result with that of a plain list.
func TestEveryReadOfParts(t *testing.T) {
	compared, seed := 0, uint64(100)
	for _, k := range []int{1, 2, 5, ranking.MaxParts} {
		for i, ties := range allTies {
			for _, n := range []int{0, 1, 3, fewer(200), fewer(1500)} {
				seed++
				w := newWorld(t, seed, directions(1 + i)[i], ties, false)
				w.divide(t, k)
				w.fill(t, n)
				compared += w.checkReads(t)
			}
		}
	}
	t.Logf("%d answers compared", compared)
}

// divide makes the world's ranking one in parts, and returns its source.
func (w *world) divide(t testing.TB, n int) ranking.Source {
	o := w.set.Options()
	sets := make([]*zset.IntSet, n)
	for i := range sets {
		var err error
		if i%2 == 1 {
			o.MaxListpackEntries = -1
		}
		sets[i], err = zset.NewInt(o)
		require.NoError(t, err)
	}
	w.add = func(member string, _ rules.Entry, form int64, tie []byte) error {
		_, err := sets[ranking.PartOf([]byte(member), n)].AddTied([]byte(member), tie, form)
		return err
	}
	w.drop = func(member string) error {
		sets[ranking.PartOf([]byte(member), n)].Remove([]byte(member))
		return nil
	}
	w.Ranking = rankingFrom(dividedSource(sets), w.rules, worldKey, func() board.Info { return worldInfo })
	return dividedSource(sets)
}

// dividedSource is the source of a ranking in parts that does not change during a read.
type dividedSource []*zset.IntSet

func (s dividedSource) Open(ctx context.Context, o *ranking.Opened) error {
	o.Parts, o.Meta = ranking.NewParts(ranking.Steady(len(s))), metaFor
	for i, set := range s {
		o.Parts.Views[i] = set.View()
	}
	return nil
}

func (s dividedSource) Close(o *ranking.Opened) { o.Parts.Release() }

func (s dividedSource) Copy(ctx context.Context) (ranking.Copied, error) {
	var o ranking.Opened
	_ = s.Open(ctx, &o)
	defer s.Close(&o)
	return ranking.Copied{Set: o.Parts.Copy(), Meta: metaFor}, nil
}
