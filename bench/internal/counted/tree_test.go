package counted

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/zrankdb/zrank/internal/model"
)

// check returns the leaves of a node in order, and fails for what violates C2 to C5.
func check(t *testing.T, x *node, root bool) (leaves []*node, rows int) {
	t.Helper()
	require.True(t, root || x.n >= least, "violates C4: %d rows or kids", x.n)
	if x.kids == nil {
		return []*node{x}, x.n
	}
	for i := range x.n {
		below, count := check(t, x.nodes[i], false)
		require.Equal(t, count, x.counts[i], "violates C3")
		if first := below[0]; i > 0 {
			low := model.Entry{Score: x.scores[i], Member: x.members[i]}
			require.False(t, model.Less(model.Entry{Score: first.scores[0], Member: first.members[0]}, low), "violates C2")
			require.Same(t, first, leaves[len(leaves)-1].next, "violates C5")
		}
		leaves, rows = append(leaves, below...), rows+count
	}
	return leaves, rows
}

// pair is a tree and the oracle.
type pair struct {
	tree   *Tree
	oracle *model.Set
	r      *rand.Rand
	scores int // scores are whole numbers below this
}

func (p *pair) put(i int) {
	e := model.Entry{Score: float64(p.r.IntN(p.scores)), Member: fmt.Sprintf("m%05d", i)}
	if old, had := p.oracle.Get(e.Member); !had {
		p.tree.Insert(e.Score, e.Member)
	} else {
		p.tree.Move(old.Score, e.Member, e.Score)
	}
	p.oracle.Put(e)
}

func (p *pair) remove(i int) {
	member := fmt.Sprintf("m%05d", i)
	if e, had := p.oracle.Get(member); had {
		p.tree.Delete(e.Score, member)
		p.oracle.Remove(member)
	}
}

// compare looks at everything: C1, ranks, and ranges.
func (p *pair) compare(t *testing.T) {
	t.Helper()
	check(t, p.tree.root, true)
	all := p.oracle.All()
	require.Equal(t, len(all), p.tree.Len())
	for _, lo := range []int{0, len(all) / 3} {
		at := lo
		for score, member := range p.tree.Range(lo, len(all)) {
			if e := all[at]; e.Score != score || e.Member != member || p.tree.Rank(score, member) != at {
				t.Fatalf("row %d is %v %q, want %v", at, score, member, e)
			}
			at++
		}
		require.Equal(t, len(all), at)
	}
}

// TestAgreesWithTheModel grows trees of three levels and shrinks them to nothing, in orders that split and merge at the ends and in the
// middle.
func TestAgreesWithTheModel(t *testing.T) {
	const n = 6000
	for name, place := range map[string]func(i int) int{
		"ascending": func(i int) int { return i }, "descending": func(i int) int { return n - 1 - i }, "scattered": func(i int) int { return i * 7919 % n },
	} {
		for _, scores := range []int{1, 50, 1 << 30} {
			p := &pair{New(), model.New(), rand.New(rand.NewPCG(uint64(scores), 5)), scores}
			for i := range 2 * n {
				p.put(place(i % n))
			}
			assert.NotNil(t, p.tree.root.nodes[0].kids, "three levels")
			p.compare(t)
			for i := range n {
				p.remove(place(i))
				if i%1999 == 0 {
					p.compare(t)
				}
			}
			p.compare(t)
			assert.Nil(t, p.tree.root.kids, name)
		}
	}
}
